// A fake LLM provider on loopback (Anthropic Messages and OpenAI Chat Completions, streamed and not). It has no model:
// it asks for the tools of its script one after the other, follows a running job with get_job, then says "done".
//   node scripted_upstream.mjs LOG.jsonl '[{"tool":"run_selfcheck","arguments":{}}]'
// HELIX_TURN_FOLLOW_JOBS=no: a job that runs is an answer like others.
// Prints its port. LOG gets one line per request: {"path", "body"}.
import fs from "node:fs";
import http from "node:http";

const [log, scriptText] = process.argv.slice(2);
const script = JSON.parse(scriptText);
const follow = process.env.HELIX_TURN_FOLLOW_JOBS !== "no";
let calls = 0;

const searches = new Map(); // call id -> deferred tool that it asked the schema of

// Tool results that a request carries, in order, whichever of the two protocols it has: {id, text}.
function toolResults(body) {
  const results = [];
  for (const message of body.messages ?? []) {
    if (message.role === "tool") results.push({ id: message.tool_call_id, text: flat(message.content) });
    if (!Array.isArray(message.content)) continue;
    for (const part of message.content) {
      if (part.type === "tool_result") results.push({ id: part.tool_use_id, text: flat(part.content) });
    }
  }
  return results;
}

function flat(content) {
  return typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("\n");
}

// How this request lets a tool be called: by its own name, or, where the client defers tools, by asking for the schema
// first (tool_search) and then through tool_call. undefined when it offers neither (a client's side requests).
function callOf(body, step, results) {
  const names = (body.tools ?? []).map((t) => t.name ?? t.function?.name ?? "");
  const direct = names.find((name) => name === step.tool || name.endsWith("_" + step.tool));
  if (direct) return { name: direct, arguments: step.arguments };
  const deferred = new RegExp(`mcp__[A-Za-z0-9-]+__${step.tool}\\b`).exec(JSON.stringify(body.messages ?? []))?.[0];
  if (!names.includes("tool_call") || !deferred) return undefined;
  if (results.some(({ id }) => searches.get(id) === step.tool)) {
    return { name: "tool_call", arguments: { name: deferred, arguments: step.arguments } };
  }
  return { name: "tool_search", arguments: { query: `select:${deferred}` }, search: step.tool };
}

// The next tool call, or undefined when the script is done.
function nextCall(body) {
  const results = toolResults(body);
  const answers = results.filter(({ id }) => !searches.has(id)).map(({ text }) => text);
  const isRunning = (text) => follow && /"status":\s*"running"/.test(text);
  const job = answers.length > 0 && isRunning(answers.at(-1)) && /"job_id":\s*"([^"]+)"/.exec(answers.at(-1))?.[1];
  const step = job ? { tool: "get_job", arguments: { job_id: job } } : script[answers.filter((t) => !isRunning(t)).length];
  const call = step && callOf(body, step, results);
  if (!call) return undefined;
  call.id = `call_${++calls}`;
  if (call.search) searches.set(call.id, call.search);
  return call;
}

function anthropic(body, response) {
  const call = nextCall(body);
  const block = call ? { type: "tool_use", id: call.id, name: call.name, input: call.arguments } : { type: "text", text: "done" };
  const stop_reason = call ? "tool_use" : "end_turn";
  const message = { id: `msg_${++calls}`, type: "message", role: "assistant", model: body.model, content: [block], stop_reason,
    stop_sequence: null, usage: { input_tokens: 10, output_tokens: 5 } };
  if (!body.stream) return json(response, message);
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: call ? { ...block, input: {} } : { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: call
      ? { type: "input_json_delta", partial_json: JSON.stringify(call.arguments) } : { type: "text_delta", text: "done" } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ];
  stream(response, events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
}

function openai(body, response) {
  const call = nextCall(body);
  const tool_calls = call && [{ index: 0, id: call.id, type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.arguments) } }];
  const message = call ? { role: "assistant", content: null, tool_calls } : { role: "assistant", content: "done" };
  const finish_reason = call ? "tool_calls" : "stop";
  const base = { id: `chat_${++calls}`, created: 1, model: body.model };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  if (!body.stream) {
    return json(response, { ...base, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage });
  }
  const chunk = (delta, reason) => ({ ...base, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: reason }] });
  const chunks = [chunk(message, null), chunk({}, finish_reason), { ...base, object: "chat.completion.chunk", choices: [], usage }];
  stream(response, [...chunks.map((c) => `data: ${JSON.stringify(c)}\n\n`), "data: [DONE]\n\n"]);
}

function json(response, value) {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

function stream(response, parts) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const part of parts) response.write(part);
  response.end();
}

const server = http.createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    let body = {};
    try { body = JSON.parse(Buffer.concat(parts).toString() || "{}"); } catch { /* logged as an empty body */ }
    const path = request.url.split("?")[0];
    fs.appendFileSync(log, JSON.stringify({ path, body }) + "\n");
    if (path.endsWith("/count_tokens")) return json(response, { input_tokens: 10 });
    if (path.endsWith("/messages")) return anthropic(body, response);
    if (path.endsWith("/chat/completions")) return openai(body, response);
    if (path.endsWith("/models")) return json(response, { object: "list", data: [{ id: "scripted", object: "model" }] });
    response.writeHead(404, { "content-type": "application/json" });
    response.end('{"error":{"type":"not_found_error","message":"not in the script"}}');
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
