# cmake -DNM=… -DOBJCOPY=… -DJOINED=… -DSEALED=… -P seal.cmake: makes weak functions local, and vtables
# of classes that are not Limber's.
# Their static variables, which objcopy cannot make local, get names of their own. Type information
# stays: exceptions and dynamic_cast compare it.

# A line each; GNU's objcopy takes an empty line for a mistake.
function(write_lines file lines)
  list(TRANSFORM lines APPEND "\n")
  list(JOIN lines "" text)
  file(WRITE ${file} "${text}")
endfunction()

execute_process(COMMAND ${NM} --defined-only --format=posix ${JOINED}
                OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n ]+ W|_ZT[VTC][^\n ]+ V" weak "${symbols}")
list(FILTER weak EXCLUDE REGEX "^_ZT.N6limber")
list(TRANSFORM weak REPLACE " [WV]$" "")
write_lines(${SEALED}.local "${weak}")

string(REGEX MATCHALL "[^\n ]+ u" unique "${symbols}")
list(TRANSFORM unique REPLACE "(.*) u" "\\1 limber_own\\1")
write_lines(${SEALED}.renamed "${unique}")

execute_process(COMMAND ${OBJCOPY} --localize-symbols=${SEALED}.local
                        --redefine-syms=${SEALED}.renamed ${JOINED} ${SEALED}
                COMMAND_ERROR_IS_FATAL ANY)
