import os
import shutil
import subprocess

import lit.formats
import lit.llvm

lit.llvm.initialize(lit_config, config)
from lit.llvm import llvm_config  # noqa: E402

config.name = "ps-mlir-" + config.ps_suite
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "lit.cfg.py", "lit.site.cfg.py", "benchmarks"]
config.test_source_root = os.path.join(config.ps_source_dir, config.ps_suite)
config.test_exec_root = os.path.join(config.ps_build_dir, config.ps_suite)

for directory in (config.llvm_tools_dir, os.path.join(config.ps_build_dir, "bin"),
                  os.path.join(config.ps_build_dir, "test/grid")):
    llvm_config.with_environment("PATH", directory, append_path=True)
# With AddressSanitizer: MLIR's library is built without it and allocates from
# the same arenas as our code, which is. What asks for more memory than there is
# gets none.
config.environment["ASAN_OPTIONS"] = "allow_user_poisoning=0:allocator_may_return_null=1"
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input=fail"
for name in list(os.environ):
    if name.startswith(("PADDLE_", "MS_", "TRAINING_ROLE", "POD_IP", "PS_LAUNCH", "LOCAL_RANK")):
        config.environment.pop(name, None)

config.substitutions.append(("%examples", os.path.join(config.ps_source_dir, "examples")))
config.substitutions.append(("%loss-falls", "%s %s" % (
    config.python, os.path.join(config.ps_source_dir, "test/Inputs/loss_falls.py"))))
config.substitutions.append(("%{path}", config.environment["PATH"]))
config.substitutions.append(("%ps-run", os.path.join(config.ps_build_dir, "bin/ps-run")))
config.substitutions.append(("%dispatchers", os.path.join(
    config.ps_build_dir, "test/lib/FewestVariables.so")))
config.substitutions.append(("%python", config.python))
package_environment = "env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=%s " % os.path.join(
    config.ps_source_dir, "python")
config.substitutions.append(("%package-python", package_environment + config.python))
config.substitutions.append(("%{build}", config.ps_build_dir))

# Clang's, which builds the fuzzers.
if os.path.exists(os.path.join(config.ps_build_dir, "test/fuzz/hostile/fuzz-data")):
    config.available_features.add("libfuzzer")

# The frameworks whose models the importers read: of the interpreter that
# PS_PYTHON names, a virtual environment's for example.
frameworks_python = os.environ.get("PS_PYTHON") or config.python
config.substitutions.append(("%frameworks-python", package_environment + frameworks_python))
config.available_features.update(subprocess.run(
    [frameworks_python, "-c",
     "import importlib.util as util\n"
     "for name in ('jax', 'optax', 'torch', 'onnx', 'onnxscript', 'sklearn',\n"
     "             'skl2onnx', 'pyarrow', 'kubernetes_validate'):\n"
     "    if util.find_spec(name): print(name)"],
    capture_output=True, text=True).stdout.split())

# Of the CUDA toolkit: says whether PTX is such.
ptxas = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))

# What stands for CUDA and NCCL on the host.
if os.path.exists(os.path.join(config.ps_build_dir, "test/cuda/libps-cuda.so")):
    config.available_features.add("host-cuda")
config.substitutions.append(("%on-gpus", "env LD_LIBRARY_PATH=%s" % os.path.join(
    config.ps_build_dir, "test/cuda")))

if config.crash_points == "ON":
    config.available_features.add("crash-points")
for program in ("etcd", "patchelf"):
    if shutil.which(program):
        config.available_features.add(program)

# Counts instructions; a sanitizer's program does not run in it.
if shutil.which("valgrind") and not config.sanitize:
    config.available_features.add("valgrind")
