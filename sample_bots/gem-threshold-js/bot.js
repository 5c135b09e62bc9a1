// Leaves with nine rubies in the pocket, however safe the cave looks.

const ENOUGH = 9;

const leaves = (decide) => decide.pocket >= ENOUGH;

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

function hear(message) {
  if (message.type === "match_end") process.exit(0);
  if (message.type === "decide") {
    say({ type: "decision", turn: message.turn, action: leaves(message) ? "leave" : "continue" });
  }
}

say({ type: "ready" });

// A read may hold half a line or several: what follows the last line break waits for the rest.
let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines) if (line) hear(JSON.parse(line));
});
