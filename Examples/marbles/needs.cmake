# Marble tests are in the library for test programs.
set(library testing)
