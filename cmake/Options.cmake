# One interface target carries the language level, warnings and sanitizers to every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

option(HELIX_BUILD_TESTS "Build the tests" ON)
option(HELIX_BUILD_BENCH "Build the programs under bench/" OFF)
option(HELIX_BUILD_FUZZ "Build the fuzz targets (clang)" OFF)
option(HELIX_STATIC_OPENSSL "Link OpenSSL's archives where they are installed" OFF)
set(HELIX_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")

add_library(helix_options INTERFACE)
target_include_directories(helix_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(helix_options INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
target_compile_definitions(helix_options INTERFACE HELIX_VERSION="${PROJECT_VERSION}")
# A precompiled header is checked by content, so that ccache can share it between build folders.
target_compile_options(helix_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
if(HELIX_SANITIZE)
  target_compile_options(helix_options INTERFACE -fsanitize=${HELIX_SANITIZE} -fno-omit-frame-pointer
                                                 -fno-sanitize-recover=all)
  target_link_options(helix_options INTERFACE -fsanitize=${HELIX_SANITIZE})
endif()
if(HELIX_BUILD_FUZZ)
  target_compile_options(helix_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# The linker is most of an incremental build; lld is used where it is installed, never required.
find_program(HELIX_LLD NAMES ld.lld)
if(HELIX_LLD)
  add_link_options(-fuse-ld=lld)
endif()
find_program(HELIX_CCACHE NAMES ccache)
if(HELIX_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
                                  CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${HELIX_CCACHE})
endif()
