// Session logs read by helix-perf-cache and by npm ccusage, the same files, one after the other:
//   node bench/consistency/sessions.mjs BIN_DIR CCUSAGE_NODE_MODULES [MEGABYTES]
// Goals: 200 MB/s on one core, and at least 20 times faster than ccusage, with the same totals where its rules are right.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const [bin, modules, megabytes = "120"] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "helix-sessions-"));
const rounds = 5;

function timed(program, args, env = {}) {
  const line = [program, ...args].map((a) => `'${a.replaceAll("'", "'\\''")}'`).join(" ");
  const start = process.hrtime.bigint();
  const done = spawnSync("bash", ["-c", `TIMEFORMAT='%U %S'; { time ${line} > '${folder}/out' 2> '${folder}/err'; } 2> '${folder}/time'`], {
    env: { PATH: process.env.PATH, HOME: folder, TZ: "UTC", ...env }, encoding: "utf8" });
  const wall = Number(process.hrtime.bigint() - start) / 1e6;
  if (done.status !== 0) throw new Error(`${program} ended with ${done.status}: ${fs.readFileSync(`${folder}/err`, "utf8").slice(0, 500)}`);
  const [user, system] = fs.readFileSync(`${folder}/time`, "utf8").trim().split(" ").map(Number);
  return { wall, cpu: (user + system) * 1000, out: fs.readFileSync(`${folder}/out`, "utf8") };
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

const truth = JSON.parse(timed(path.join(bin, "bench_make_sessions"), [folder, megabytes]).out);
const ours = { program: path.join(bin, "helix-perf-cache"), args: ["diagnose-session", `${folder}/projects`, "--json"] };
const theirs = { program: path.join(modules, ".bin/ccusage"), args: ["daily", "--json", "--offline"] };
const results = { ours: [], theirs: [] };
for (let i = 0; i < rounds; ++i) {
  results.ours.push(timed(ours.program, ours.args));
  results.theirs.push(timed(theirs.program, theirs.args, { CLAUDE_CONFIG_DIR: folder }));
}
const mine = JSON.parse(results.ours[0].out).totals;
const other = JSON.parse(results.theirs[0].out).totals;
const cpu = { ours: median(results.ours.map((r) => r.cpu)), theirs: median(results.theirs.map((r) => r.cpu)) };
const wall = { ours: median(results.ours.map((r) => r.wall)), theirs: median(results.theirs.map((r) => r.wall)) };
const rate = truth.bytes / 1e6 / (cpu.ours / 1e3);
console.log(`${(truth.bytes / 1e6).toFixed(1)} MB of session logs, medians of ${rounds} runs each`);
console.log(`helix-perf-cache: ${cpu.ours.toFixed(0)} ms CPU, ${wall.ours.toFixed(0)} ms wall, ${rate.toFixed(0)} MB per CPU second`);
console.log(`ccusage:          ${cpu.theirs.toFixed(0)} ms CPU, ${wall.theirs.toFixed(0)} ms wall`);
console.log(`ratio: ${(cpu.theirs / cpu.ours).toFixed(1)} by CPU, ${(wall.theirs / wall.ours).toFixed(1)} by the clock`);
console.log("totals            input      output        read       write");
const row = (name, t) => console.log(name.padEnd(12) + t.map((n) => String(n).padStart(12)).join(""));
row("written", [truth.input, truth.output, truth.read, truth.write]);
row("helix", [mine.uncached, mine.output, mine.read, mine.written_5m + mine.written_1h + mine.written_other]);
row("ccusage", [other.inputTokens, other.outputTokens, other.cacheReadTokens, other.cacheCreationTokens]);
fs.rmSync(folder, { recursive: true });
const right = mine.uncached === truth.input && mine.output === truth.output && mine.read === truth.read;
console.log(`goals: 200 MB/s ${rate >= 200 ? "met" : "missed"}, 20 times ${cpu.theirs / cpu.ours >= 20 ? "met" : "missed"}, totals ${right ? "right" : "WRONG"}`);
process.exit(right ? 0 : 1);
