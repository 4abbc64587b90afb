# cmake -DINPUT=page.md -DOUTPUT=page.cc -P EmbedText.cmake: the page as the string behind helix::mcp::MeasurementGuide.
set(text "")
if(EXISTS ${INPUT})
  file(READ ${INPUT} text)
endif()
file(WRITE ${OUTPUT} "#include \"mcp/resources/guide.h\"\n\nnamespace helix::mcp {\n\nstd::string_view MeasurementGuide() {\n  return R\"guide(${text})guide\";\n}\n\n}  // namespace helix::mcp\n")
