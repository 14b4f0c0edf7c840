//! Shell lines whose target is evident, and those that only look like it.

use super::*;

fn bash(sandbox: &Sandbox, command: &str) -> Outcome {
    call(sandbox, "bash", &json!({ "command": command }))
}

/// One of each form.
const WRITES: &[&str] = &[
    "echo x > openspec/specs/auth/spec.md",
    "echo x >> openspec/specs/auth/spec.md",
    "echo x >| openspec/specs/auth/spec.md",
    "make &> openspec/specs/auth/spec.md",
    "make 2> openspec/specs/auth/spec.md",
    "make >& openspec/specs/auth/spec.md",
    ": > 'openspec/specs/auth/spec.md'",
    "> openspec/specs/auth/spec.md",
    "cat <<'EOF' > openspec/specs/auth/spec.md\n# Auth\nEOF",
    "cat > openspec/specs/new/spec.md <<EOF\nx\nEOF",
    "ls\ncat <<-A\n\tx\n\tA\necho > openspec/specs/auth/spec.md",
    "sed -i 's/SHALL/MAY/' openspec/specs/auth/spec.md",
    "sed -i.bak -e s/a/b/ -- openspec/specs/auth/spec.md",
    "sed -Ei '' 's/a/b/' openspec/specs/auth/spec.md",
    "sed --in-place=.bak s/a/b/ openspec/specs/*/spec.md",
    "perl -pi -e 's/a/b/' openspec/specs/auth/spec.md",
    "perl -i.bak -ne print openspec/specs/auth/spec.md",
    "gawk -i inplace '{ print }' openspec/specs/auth/spec.md",
    "yq -i '.frozen = \"off\"' openspec/specward.yaml",
    "echo x | tee openspec/specs/auth/spec.md",
    "echo x | sudo tee -a openspec/specs/auth/spec.md > /dev/null",
    "mv /tmp/x openspec/specs/auth/spec.md",
    "mv openspec/specs/auth /tmp/x",
    "mv -t openspec/specs /tmp/x",
    "mv openspec /tmp/x",
    "cp /tmp/x openspec/specs/auth/spec.md",
    "cp /tmp/spec.md openspec/specs/auth/",
    "cp -r /tmp/specs openspec",
    "ln -sf /tmp/x openspec/specs/auth/spec.md",
    "install -m 644 /tmp/x openspec/specs/auth/spec.md",
    "rsync -a --delete /tmp/specs/ openspec/specs/",
    "rm openspec/specs/auth/spec.md",
    "rm -rf openspec",
    "rm -rf ./openspec/specs/{auth,other}",
    "rm -rf openspec/*",
    "unlink openspec/specs/auth/spec.md",
    "find openspec/specs -name '*.md' -delete",
    "find openspec/specs -exec rm {} +",
    "truncate -s 0 openspec/specs/auth/spec.md",
    "touch openspec/changes/new/proposal.md",
    "dd if=/dev/null of=openspec/specs/auth/spec.md",
    "chmod 000 openspec/specs/auth/spec.md",
    "chmod -R a-r openspec",
    "curl -so openspec/specs/auth/spec.md https://example.org/",
    "sort -o openspec/specs/auth/spec.md /tmp/x",
    "patch openspec/specs/auth/spec.md /tmp/x.patch",
    "patch -p1 <<'EOF'\n--- a/openspec/specs/auth/spec.md\n+++ b/openspec/specs/auth/spec.md\n@@ -1 +1 @@\n-a\n+b\nEOF",
    "patch -p1 < weaken.patch",
    "git apply weaken.patch",
    "git apply --index - <<EOF\n--- a/openspec/specs/auth/spec.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\nEOF",
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: openspec/specs/auth/spec.md\n*** End Patch\nEOF",
    "git checkout HEAD~3 -- openspec/specs/auth/spec.md",
    "git checkout other openspec/specs",
    "git restore --source=HEAD~1 openspec/specs/auth/spec.md",
    "git restore -s other -- openspec",
    "git reset HEAD~1 -- openspec/specs",
    "git rm -q openspec/specs/auth/spec.md",
    "git rm --cached openspec/specs/auth/spec.md",
    "git mv openspec/specs/auth openspec/specs/b",
    "git stash push openspec/specs/auth/spec.md",
    "git update-index --skip-worktree openspec/specs/auth/spec.md",
    "git update-index --assume-unchanged openspec/specs/auth/spec.md",
    "git clean -fd openspec/specs",
    "git -C openspec rm specs/auth/spec.md",
    "cd openspec && rm specs/auth/spec.md",
    "cd openspec/specs; echo > auth/spec.md",
    "(cd src; ls); (cd openspec/specs && rm -r auth)",
    "env A=b sudo -u root rm openspec/specs/auth/spec.md",
    "bash -c 'rm openspec/specs/auth/spec.md'",
    "sh -ec \"cd openspec && sed -i s/a/b/ specs/auth/spec.md\"",
    "bash <<EOF\nrm openspec/specs/auth/spec.md\nEOF",
    "eval 'rm openspec/specs/auth/spec.md'",
    "timeout 5 nice rm openspec/specs/auth/spec.md",
    "echo $(rm openspec/specs/auth/spec.md)",
    "echo \"`rm openspec/specs/auth/spec.md`\"",
    "if true; then rm openspec/specs/auth/spec.md; fi",
    "{ rm openspec/specs/auth/spec.md; }",
    "true || rm openspec/specs/auth/spec.md &",
    "rm \"$PWD/openspec/specs/auth/spec.md\"",
    "rm $(git rev-parse --show-toplevel)/openspec/specs/auth/spec.md",
    "python3 -c \"open('openspec/specs/auth/spec.md', 'w').write('')\"",
    "python3 - <<'EOF'\nfrom pathlib import Path\nPath('openspec/specs/auth/spec.md').write_text('x')\nEOF",
    "node -e \"require('fs').writeFileSync('openspec/specs/auth/spec.md', '')\"",
    "find openspec/specs -name '*.md' -exec sed -i s/a/b/ {} +",
    "find openspec -name '*.md' -execdir sh -c 'sed -i s/a/b/ \"$0\"' {} \\;",
    "find . -path './openspec/*' -name spec.md -exec perl -pi -e s/a/b/ {} \\;",
    "find openspec -name spec.md | xargs sed -i s/SHALL/MAY/",
    "grep -rl SHALL openspec/specs | sort -u | xargs -0 -n 5 perl -pi -e s/a/b/",
    "git ls-files openspec/specs | xargs rm",
    "git ls-files | grep openspec/specs/auth | xargs -I{} rm {}",
    "ls openspec/specs/auth/spec.md | xargs -I % sh -c 'echo x | tee %'",
    "echo openspec/specs/auth/spec.md | xargs -n1 tee",
    "echo openspec/specs/auth/spec.md | xargs sh -c 'rm \"$@\"' _",
    "for f in openspec/specs/*/spec.md; do sed -i s/a/b/ \"$f\"; done",
    "for f in src/a.rs openspec/specs/auth/spec.md\ndo\n  echo x > ${f}\ndone",
    "for d in specs changes; do rm -r \"openspec/$d\"; done",
    "F=openspec/specs/auth/spec.md; echo x > $F",
    "export D=openspec/specs && F=\"$D/auth/spec.md\" && sed -i s/a/b/ \"$F\"",
    "TOP=$(git rev-parse --show-toplevel); rm $TOP/openspec/specs/auth/spec.md",
    "FILES='src/a.rs openspec/specs/auth/spec.md'; rm $FILES",
    "S=specward; $S accept --reason x",
    "bash <<< 'rm openspec/specs/auth/spec.md'",
    "echo 'rm openspec/specs/auth/spec.md' | bash",
    "cat <<'EOF' | python3 -\nopen('openspec/specs/auth/spec.md', 'w')\nEOF",
    "python3 -c \"p='openspec/specs/auth/spec.md'; open(p,'w').write('x')\"",
    "python3 - <<'EOF'\nfrom pathlib import Path\np = Path('openspec/specs/auth/spec.md')\np.write_text('x')\nEOF",
    "python3 <<< \"open('openspec/specs/auth/spec.md', 'w')\"",
    "node -e \"const p = 'openspec/specs/auth/spec.md'; fs.writeFileSync(p, '')\"",
    "python3 -c \"import os; os.system('rm openspec/specs/auth/spec.md')\"",
    "awk '{print > \"openspec/specs/auth/spec.md\"}' src/a.rs",
    "awk 'BEGIN { system(\"rm openspec/specs/auth/spec.md\") }'",
    "sed 's/a/b/w openspec/specs/auth/spec.md' src/a.rs",
    "sed -n 'w openspec/specs/auth/spec.md' src/a.rs",
    "busybox sed -i s/a/b/ openspec/specs/auth/spec.md",
    "sd SHALL MAY openspec/specs/auth/spec.md",
    "vim -es -c '%s/a/b/' -c wq openspec/specs/auth/spec.md",
    "ex -sc '%s/a/b/|x' openspec/specs/auth/spec.md",
    "printf 'd\\nw\\n' | ed -s openspec/specs/auth/spec.md",
    "tar -C openspec/specs -xf /tmp/x.tar",
    "tar xzf /tmp/x.tgz -C openspec",
    "cd openspec/specs && tar xf /tmp/x.tar",
    "tar xf /tmp/x.tar openspec/specs/auth/spec.md",
    "git archive other openspec | tar -x -C openspec/changes",
    "unzip -o /tmp/x.zip -d openspec/specs",
    "script -qc 'specward accept --reason x' /dev/null",
    "script -c 'rm openspec/specs/auth/spec.md'",
    "setsid nohup timeout -k 1 5 env -i A=b rm openspec/specs/auth/spec.md",
    "git show HEAD~1:openspec/specs/auth/spec.md > openspec/specs/auth/spec.md",
    "git show HEAD:src/a.rs > openspec/specs/auth/spec.md",
    "git show HEAD:openspec/specs/auth/spec.md >> openspec/specs/auth/spec.md",
    "git show HEAD:openspec/specs/auth/spec.md | sed s/a/b/ > openspec/specs/auth/spec.md",
    "rm -rf .git/specward",
    "echo '{}' > .git/specward/sessions/s.json",
    "specward accept --reason 'fine'",
    "cargo build; /usr/local/bin/specward hook session-start --agent claude < x",
    "specward init --uninstall",
];

/// Reads, and writes to something else.
const OTHERS: &[&str] = &[
    "cat openspec/specs/auth/spec.md",
    "grep -rn SHALL openspec > /tmp/found",
    "sed -n 1,20p openspec/specs/auth/spec.md",
    "sed s/i/a/ openspec/specs/auth/spec.md",
    "perl -Mstrict -ne print openspec/specs/auth/spec.md",
    "awk '{ print > \"/dev/stderr\" }' openspec/specs/auth/spec.md",
    "head -5 < openspec/specs/auth/spec.md",
    "diff openspec/specs/auth/spec.md src/a.md 2>&1 | tee /tmp/x",
    "cp openspec/specs/auth/spec.md /tmp/x",
    "cp -r openspec /tmp/x",
    "rsync -a openspec/ /tmp/openspec/",
    "ln -s openspec/specs/auth/spec.md src/spec.md",
    "find openspec -name '*.md' -exec grep -l SHALL {} +",
    "ls openspec/specs/*; wc -l openspec/specs/*/spec.md",
    "echo 'rm openspec/specs/auth/spec.md'",
    "echo \"sed -i s/a/b/ openspec/specs/auth/spec.md > x\" >> notes.md",
    "git commit -m 'rm openspec/specs/auth/spec.md > x'",
    "cat <<'EOF' > notes.md\nrm openspec/specs/auth/spec.md\nEOF",
    "git diff openspec; git log -p -- openspec/specs; git show HEAD:openspec/specs/auth/spec.md",
    "git add -A openspec && git status",
    "git checkout -b openspec/specs",
    "git checkout main",
    "git stash; git stash pop",
    "git apply --check weaken.patch",
    "git clean -fd src",
    "rm -rf target/* *.tmp",
    "rm $SPEC",
    "cd \"$WHERE\" && rm specs/auth/spec.md",
    "cd /tmp && rm -rf openspec",
    "cd src && echo > openspec.md",
    "patch -p1 --dry-run < weaken.patch",
    "python3 -c \"print(open('openspec/specs/auth/spec.md').read())\"",
    "python3 -c \"t = open('openspec/specs/auth/spec.md', 'r').read(); open('src/x', 'w').write(t)\"",
    "node -e \"console.log(require('fs').readFileSync('openspec/specs/auth/spec.md'))\"",
    "openspec archive a-change --yes",
    "openspec validate --all; openspec list",
    "specward verify --changed --frozen-spec",
    "specward accept --help",
    "cargo test -- openspec/specs",
    "find . -name '*.tmp' -delete",
    "find . -name '*.tmp' | xargs rm -f",
    "find . -name '*.rs' -not -path './openspec/*' -exec sed -i s/a/b/ {} +",
    "find openspec -name '*.md' | xargs grep -l SHALL | wc -l",
    "find openspec/specs -name spec.md -exec cat {} + > /tmp/all",
    "git ls-files | grep -v openspec/specs | xargs sed -i s/a/b/",
    "grep -rl SHALL openspec | xargs -I{} cp {} /tmp/x",
    "for f in openspec/specs/*/spec.md; do grep SHALL \"$f\" > /tmp/x; done",
    "F=openspec/specs/auth/spec.md; cat $F > /tmp/x; F=src/x; echo > $F",
    "F=$(mktemp); echo x > $F",
    "F='openspec/specs/auth/spec.md'; echo '$F' > notes.md",
    "grep SHALL <<< 'rm openspec/specs/auth/spec.md'",
    "echo 'rm openspec/specs/auth/spec.md' | tee notes.md",
    "python3 -c \"p='openspec/specs/auth/spec.md'; print(open(p).read())\"",
    "python3 -c \"p='openspec/specs/auth/spec.md'; t=open(p,'r').read(); open('x','w').write(t)\"",
    "awk '$1 > \"a\" { print }' openspec/specs/auth/spec.md",
    "sed 's/how to/x/' openspec/specs/auth/spec.md",
    "sd -p SHALL MAY openspec/specs/auth/spec.md",
    "vim -R openspec/specs/auth/spec.md",
    "tar cf /tmp/x.tar openspec; tar tf /tmp/x.tar openspec/specs",
    "tar xf /tmp/x.tar -C /tmp openspec/specs; tar xzf /tmp/deps.tgz",
    "unzip -l /tmp/x.zip openspec/specs; unzip -q /tmp/x.zip -d /tmp",
    "script -qc 'cat openspec/specs/auth/spec.md' /dev/null",
    "git show HEAD:openspec/specs/auth/spec.md > openspec/specs/auth/spec.md",
    "git show :openspec/specs/auth/spec.md > openspec/specs/auth/spec.md 2> /tmp/x",
    "prettier --check openspec",
    "",
    "rm",
    "mv x",
    "git",
];

fn project() -> Sandbox {
    let sandbox = Sandbox::repository();
    sandbox.write("src/a.rs", "");
    sandbox.write(".git/specward/sessions/s.json", "{}");
    let patch = "diff --git a/openspec/specs/auth/spec.md b/openspec/specs/auth/spec.md\n--- a/openspec/specs/auth/spec.md\n\
                 +++ b/openspec/specs/auth/spec.md\n@@ -1 +1 @@\n-a\n+b\n";
    sandbox.write("weaken.patch", patch);
    sandbox
}

#[test]
fn evident_writes_are_denied() {
    let sandbox = project();
    let missed: Vec<&&str> = WRITES.iter().filter(|line| bash(&sandbox, line).code != Some(2)).collect();
    assert!(missed.is_empty(), "let through: {missed:#?}");
}

#[test]
fn reads_and_other_writes_are_let_through() {
    let sandbox = project();
    let outcome = |line: &&&str| bash(&sandbox, line);
    let refused: Vec<_> =
        OTHERS.iter().map(|line| (line, outcome(&line))).filter(|(_, heard)| heard.code != Some(0)).collect();
    assert!(refused.is_empty(), "denied: {refused:#?}");
    OTHERS.iter().for_each(|line| is_let_through(&bash(&sandbox, line)));
}

/// What was edited can be put back: from the index, from HEAD, from where work began.
#[test]
fn an_edit_can_be_undone() {
    let sandbox = project();
    for command in [
        "git restore openspec/specs/auth/spec.md",
        "git checkout -- openspec/specs/auth/spec.md",
        "git checkout openspec/specs/auth/spec.md",
        "git restore --staged --worktree openspec",
        "git restore --source=HEAD -- openspec/specs",
        "git checkout origin/main -- openspec",
        "git checkout -- .",
        "git reset -- openspec/specs/auth/spec.md",
        "git reset HEAD openspec/specs/auth/spec.md",
        "git reset --hard",
    ] {
        is_let_through(&bash(&sandbox, command));
    }
}

/// Other tools that run commands, and other forms of arguments.
#[test]
fn every_tool_that_runs_commands() {
    let sandbox = project();
    let line = "rm openspec/specs/auth/spec.md";
    for tool in [
        "Bash",
        "bash",
        "Shell",
        "shell",
        "terminal",
        "execute_command",
        "run_shell_command",
        "execute_bash",
        "run_in_terminal",
        "mcp__x__run_command",
        "exec_command",
    ] {
        is_denied(&call(&sandbox, tool, &json!({ "command": line })));
    }
    is_denied(&call(&sandbox, "shell", &json!({ "command": ["bash", "-lc", line] })));
    is_denied(&call(&sandbox, "shell", &json!({ "command": ["rm", AUTH] })));
    is_denied(&call(&sandbox, "exec_command", &json!({ "cmd": "rm auth/spec.md", "workdir": "openspec/specs" })));
    is_denied(&call(&sandbox, "Bash", &json!(line)));
    is_let_through(&call(&sandbox, "shell", &json!({ "command": ["echo", line] })));
    let code = format!("from hermes_tools import write_file\nwrite_file(\"{AUTH}\", \"x\")");
    is_denied(&call(&sandbox, "execute_code", &json!({ "code": code })));
    let code = format!("from hermes_tools import terminal\nterminal('rm {AUTH}')");
    is_denied(&call(&sandbox, "execute_code", &json!({ "code": code })));
    let code = format!("from hermes_tools import read_file\nprint(read_file('{AUTH}'))");
    is_let_through(&call(&sandbox, "execute_code", &json!({ "code": code })));
    let patch = format!("*** Begin Patch\n*** Update File: {AUTH}\n*** End Patch");
    is_denied(&call(&sandbox, "functions.apply_patch", &json!({ "command": ["apply_patch", patch] })));
}
