"""Builds the program inkling, which does the work of this package, when pip installs it from its sources.

A wheel of a release contains the program and needs none of this."""

import os
import pathlib
import re
import shutil
import subprocess
import sysconfig

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# What go build ./cmd/inkling reads, from the folder that holds go.mod.
SOURCES = ("go.mod", "go.sum", "LICENSE", "cluster", "cmd/inkling", "dedupe", "internal", "segment", "server", "session", "web/dist")


class Engine(BuildHookInterface):
    """The hook that hatchling calls before it makes a wheel or a source distribution."""

    def initialize(self, version, build_data):
        here = pathlib.Path(self.root)
        module = here / "go" if (here / "go" / "go.mod").exists() else here.parent
        if not (module / "go.mod").exists():
            raise SystemExit("inkling: the Go sources of the program are missing; install from a clone of the repository or from a release")
        if self.target_name == "sdist":
            for source, name in self.sources(module):
                build_data["force_include"][str(source)] = f"go/{name}"
            return
        program = here / "src" / "inkling" / "bin" / ("inkling.exe" if os.name == "nt" else "inkling")
        build(module, program)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform_tag()}"
        build_data["force_include"][str(program)] = f"inkling/bin/{program.name}"

    @staticmethod
    def sources(module):
        """Yield the files of the program with their names below go/, tests aside."""
        for top in (*SOURCES, *(p.name for p in module.glob("*.go")), "web/embed.go"):
            path = module / top
            files = sorted(path.rglob("*")) if path.is_dir() else [path]
            for file in files:
                name = file.relative_to(module).as_posix()
                if file.is_file() and not name.endswith("_test.go") and "/testdata/" not in name and "__pycache__" not in name:
                    yield file, name


def wanted(module):
    """Return the version of Go that go.mod asks for."""
    return re.search(r"^go (\S+)", (module / "go.mod").read_text(), re.M).group(1)


def build(module, program):
    """Build the program with the Go on the PATH."""
    if shutil.which("go") is None:
        raise SystemExit(
            f"inkling is built with Go, and go is not on the PATH. Install Go {wanted(module)} or later, or "
            "install a wheel of a release, which does not need Go."
        )
    program.parent.mkdir(parents=True, exist_ok=True)
    command = ["go", "build", "-trimpath", "-o", str(program), "./cmd/inkling"]
    done = subprocess.run(command, cwd=module, env={**os.environ, "CGO_ENABLED": "0"}, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"inkling: go build failed; Go {wanted(module)} or later is needed.\n{done.stderr}")


def platform_tag():
    """Return the platform of a wheel as pip calls it."""
    return re.sub(r"[^A-Za-z0-9]", "_", sysconfig.get_platform())
