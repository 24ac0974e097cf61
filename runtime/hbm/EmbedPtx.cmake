# Writes CODE, which defines the text of the file TEXT for RowFunctions.h.
file(READ ${TEXT} text)
file(WRITE ${CODE} "namespace ps::runtime {
extern const char *const rowFunctionsPtx;
const char *const rowFunctionsPtx = R\"ptx(${text})ptx\";
} // namespace ps::runtime
")
