"""The first example of the README runs as it stands."""

import re
from pathlib import Path


def test_first_example(tmp_path, monkeypatch, capsys):
    text = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.S).group(1)
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(compile(code, "README.md", "exec"), names)  # noqa: S102
    assert (tmp_path / "report.html").stat().st_size > 1000
    assert "17" in capsys.readouterr().out
    assert (names["model"].labels_ == names["truth"]).mean() > 0.9
