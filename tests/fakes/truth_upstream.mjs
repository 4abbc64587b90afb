// A fake LLM provider on loopback whose usage is known beforehand, to see what a router in front of it keeps. No model:
// every number is made up and always the same. Chat completions and Anthropic Messages, streamed and not.
//   node truth_upstream.mjs LOG.jsonl
// Prints its port. The model's name picks the shape of the usage (see USAGE); LOG gets one line per request with what
// reached it: {"path", "model", "headers", "body"}.
import fs from 'node:fs';
import http from 'node:http';

const log = process.argv[2];
export const TRUTH = { prompt: 2048, cached: 1920, out: 3 };
const WORDS = ['four ', 'words ', 'of ', 'text'];
const PAUSE_MS = 40;
let calls = 0;

const chat = (extra) => ({ prompt_tokens: TRUTH.prompt, completion_tokens: TRUTH.out, total_tokens: TRUTH.prompt + TRUTH.out, ...extra });
const USAGE = {
  details: chat({ prompt_tokens_details: { cached_tokens: TRUTH.cached } }),
  write: chat({ prompt_tokens_details: { cached_tokens: 1024, cache_write_tokens: 512 } }),
  deepseek: chat({ prompt_cache_hit_tokens: TRUTH.cached, prompt_cache_miss_tokens: TRUTH.prompt - TRUTH.cached }),
  deepseek_both: chat({ prompt_cache_hit_tokens: TRUTH.cached, prompt_cache_miss_tokens: TRUTH.prompt - TRUTH.cached,
    prompt_tokens_details: { cached_tokens: TRUTH.cached } }),
  kimi: chat({ cached_tokens: TRUTH.cached }),
  in_finish: chat({ prompt_tokens_details: { cached_tokens: TRUTH.cached } }),
  nulls: chat({ prompt_tokens_details: null }),
  buffered: chat({ prompt_tokens_details: { cached_tokens: TRUTH.cached } }), // its stream comes in one piece
  none: undefined,
};

const json = (response, value, status = 200) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
};

function stream(response, events, inOnePiece = false) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (inOnePiece) return setTimeout(() => response.end(events.join('')), PAUSE_MS);
  const next = () => {
    if (events.length === 0) return response.end();
    response.write(events.shift());
    setTimeout(next, PAUSE_MS);
  };
  next();
}

function chatCompletion(body, response) {
  const usage = USAGE[body.model];
  const base = { id: `chatcmpl-${++calls}`, created: 1, model: body.model };
  if (!body.stream) {
    const choices = [{ index: 0, message: { role: 'assistant', content: WORDS.join('') }, finish_reason: 'stop' }];
    return json(response, { ...base, object: 'chat.completion', choices, ...(usage && { usage }) });
  }
  const chunk = (delta, finish_reason, more = {}) =>
    `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`;
  const inFinish = body.model === 'in_finish';
  const words = body.model === 'buffered' ? Array(300).fill('word ') : WORDS;
  const events = [chunk({ role: 'assistant', content: '' }, null), ...words.map((word) => chunk({ content: word }, null)),
    chunk({}, 'stop', inFinish ? { usage } : {})];
  // As the real API: usage comes only when it was asked for, after the finish reason.
  if (usage && !inFinish && body.stream_options?.include_usage) {
    events.push(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [], usage })}\n\n`);
  }
  stream(response, [...events, 'data: [DONE]\n\n'], body.model === 'buffered');
}

function messages(body, response) {
  const usage = { input_tokens: TRUTH.prompt - TRUTH.cached, cache_read_input_tokens: TRUTH.cached, cache_creation_input_tokens: 0,
    output_tokens: TRUTH.out };
  // The model "replay" answers as a store of replies does: every call gets the first one's id.
  const message = { id: body.model === 'replay' ? 'msg_same' : `msg_${++calls}`, type: 'message', role: 'assistant', model: body.model, stop_reason: 'end_turn', stop_sequence: null };
  if (!body.stream) return json(response, { ...message, content: [{ type: 'text', text: WORDS.join('') }], usage });
  const event = (type, rest) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
  stream(response, [event('message_start', { message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } } }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...WORDS.map((text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
    event('content_block_stop', { index: 0 }),
    event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: TRUTH.out } }),
    event('message_stop', {})]);
}

const server = http.createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    let body = {};
    try { body = JSON.parse(Buffer.concat(parts).toString() || '{}'); } catch { /* logged as an empty body */ }
    const path = request.url.split('?')[0];
    fs.appendFileSync(log, `${JSON.stringify({ path, model: body.model, headers: request.headers, body })}\n`);
    if (path.endsWith('/chat/completions')) return chatCompletion(body, response);
    if (path.endsWith('/messages')) return messages(body, response);
    json(response, { error: { type: 'not_found_error', message: 'not in the script' } }, 404);
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
