import lit.formats

config.name = "ps-mlir-unit"
config.test_format = lit.formats.GoogleTest(".", "-unit-tests")
config.test_source_root = config.test_exec_root = config.ps_unit_dir
