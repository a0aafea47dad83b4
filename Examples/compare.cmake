# cmake -DPROGRAM=… -DEXPECTED=… -P compare.cmake: the program succeeds and prints exactly that.
execute_process(COMMAND "${PROGRAM}" OUTPUT_VARIABLE printed ERROR_VARIABLE complained
  RESULT_VARIABLE code)
file(READ "${EXPECTED}" expected)
if(NOT code EQUAL 0 OR NOT printed STREQUAL expected OR NOT complained STREQUAL "")
  message(FATAL_ERROR "exit code ${code}; printed:\n${printed}${complained}expected:\n${expected}")
endif()
