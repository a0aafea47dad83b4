# Sets `needs` to the libraries, or `missing` to what keeps the example from being built.
find_package(SQLite3 QUIET)
if(NOT BELAY_INTERCEPTION)
  set(missing "interception, which this build leaves out")
elseif(NOT SQLite3_FOUND)
  set(missing "SQLite with its header; on Debian: apt-get install libsqlite3-dev")
else()
  set(needs SQLite::SQLite3)
endif()
