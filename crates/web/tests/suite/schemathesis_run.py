"""Runs schemathesis against the server's own description: no server errors, and nothing that is not described.

Usage: schemathesis_run.py ADDRESS
"""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
ADDRESS = sys.argv[1]
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"

schemathesis = pathlib.Path(sys.executable).parent / "schemathesis"
sys.exit(
    subprocess.call(
        [
            schemathesis, "--config-file", HERE / "schemathesis.toml",
            "run", f"{ADDRESS}/api/v1/openapi.json",
            "--checks", CHECKS, "--phases", "examples,coverage,fuzzing",
            # The server itself gives up after thirty seconds.
            "--request-timeout", "40", "--max-examples", "20", "--max-time", "40", "--seed", "2004",
            # Events of a job come until it ends.
            "--exclude-path-regex", "/events$",
            "--continue-on-failure", "--warnings", "off", "--no-color",
        ],
        env=os.environ | {"PYTHONPATH": str(HERE)},
    )
)
