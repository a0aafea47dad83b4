// A directory for the files of a case.
#ifndef SUPPORT_FOLDER_HPP
#define SUPPORT_FOLDER_HPP

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace check {

// A directory with at most one file.
struct folder {
  std::string path = "/tmp/belay-cpp-XXXXXX";
  folder() { path = mkdtemp(&path[0]); }
  ~folder() {
    std::remove(file().c_str());
    rmdir(path.c_str());
  }
  std::string file() const { return path + "/file"; }
};

}  // namespace check

#endif
