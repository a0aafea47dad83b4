# Three tools build this example: its test does, as its user would, and it needs two of the bindings.
if(BELAY_BUILD_TESTS AND NOT BELAY_SANITIZE)
  add_test(NAME example_polyglot COMMAND sh "${directory}/test.sh")
  set_tests_properties(example_polyglot PROPERTIES LABELS binding TIMEOUT 300 SKIP_RETURN_CODE 77
    DEPENDS "binding_python;binding_rust")
  set_property(TEST example_polyglot PROPERTY ENVIRONMENT
    "WORK=${PROJECT_BINARY_DIR}/Examples/polyglot"
    "BELAY_LIB_DIR=$<TARGET_FILE_DIR:belay_shared>"
    "PYTHON=${PROJECT_BINARY_DIR}/bindings/python/venv/bin/python")
endif()
