#include "core/model/chat_template.h"

namespace helix::model {

const char kChatTemplate[] = R"({%- if tools %}{{- '<|im_start|>tools\n' }}
{%- for tool in tools %}{{- tool | tojson + '\n' }}{%- endfor %}
{{- '<|im_end|>\n' }}{%- endif %}
{%- for message in messages %}
{{- '<|im_start|>' + message.role + '\n' }}
{%- if message.content is string %}{{- message.content }}
{%- elif message.content %}
{%- for part in message.content %}{%- if part.text %}{{- part.text }}{%- endif %}{%- endfor %}
{%- endif %}
{%- if message.tool_calls %}{%- for call in message.tool_calls %}
{{- '\n<tool_call>\n' + (call.function | tojson) + '\n</tool_call>' }}
{%- endfor %}{%- endif %}
{{- '<|im_end|>\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}{%- endif %})";

}  // namespace helix::model
