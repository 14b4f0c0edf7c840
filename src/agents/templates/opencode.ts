// Guards frozen specs and verifies at the end of a turn. Without specward on PATH it lets everything through and says so once.
const MISSING =
  "Nothing is guarded or verified: specward is not installed. Install it as its README says.";
const TOOLS = ["edit", "write", "patch", "apply_patch", "multiedit", "bash"];

export const Specward = async ({ client, $, directory }) => {
  let hasSaid = false;
  const started = new Set();
  const judged = new Map();

  const say = async (message) => {
    if (hasSaid) return;
    hasSaid = true;
    try {
      await client.app.log({
        body: { service: "specward", level: "warn", message },
      });
      await client.tui.showToast({ body: { message, variant: "warning" } });
    } catch {
      // A client without these has nowhere to say it.
    }
  };

  const isInstalled = async () =>
    (await $`which specward`.nothrow().quiet()).exitCode === 0;

  // The document specward reads, and its answer: exit code 2 refuses, with the reason on standard error.
  const call = async (event, document) => {
    const input = new Response(JSON.stringify({ cwd: directory, ...document }));
    return $`specward hook ${event} --agent opencode < ${input}`
      .cwd(directory)
      .nothrow()
      .quiet();
  };

  const start = async (session) => {
    if (!session || started.has(session)) return;
    started.add(session);
    await call("session-start", {
      session_id: session,
      hook_event_name: "session-start",
    });
  };

  return {
    "tool.execute.before": async (input, output) => {
      if (!TOOLS.includes(input.tool)) return;
      if (!(await isInstalled())) return say(MISSING);
      await start(input.sessionID);
      const answer = await call("pre-tool", {
        session_id: input.sessionID,
        hook_event_name: "pre-tool",
        tool_name: input.tool,
        tool_input: output.args,
      });
      if (answer.exitCode === 2) throw new Error(answer.stderr.toString());
    },
    event: async ({ event }) => {
      if (event.type === "session.created") {
        if (await isInstalled()) await start(event.properties.info?.id);
        return;
      }
      if (event.type !== "session.idle") return;
      if (!(await isInstalled())) return say(MISSING);
      const session = event.properties.sessionID;
      // Some versions say twice that a session is idle.
      if (Date.now() - (judged.get(session) ?? 0) < 1000) return;
      judged.set(session, Number.MAX_SAFE_INTEGER);
      const answer = await call("stop", {
        session_id: session,
        hook_event_name: "stop",
      });
      if (answer.exitCode === 2) {
        const parts = [{ type: "text", text: answer.stderr.toString() }];
        await client.session.promptAsync({
          path: { id: session },
          body: { parts },
        });
      } else if (answer.exitCode !== 0) {
        await say("Nothing was verified: specward stopped with an error.");
      }
      judged.set(session, Date.now());
    },
  };
};
