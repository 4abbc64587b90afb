// Where the tests find files.
#pragma once
#include <string>

namespace helix::testing_support {

std::string SourceDir();                            // the repository
std::string BinaryDir();                            // the build folder; programs are in bin/ below it
std::string TestData(const std::string& relative);  // testdata/<relative>
// A new empty folder below the system's temporary folder, named after the running test; removed first if it
// is there.
std::string ScratchDir();

}  // namespace helix::testing_support
