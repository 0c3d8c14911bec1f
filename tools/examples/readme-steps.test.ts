import { expect, it } from "vitest";
import { isServer, readSteps } from "./readme-steps";

const README = `# Page

At the root:

\`\`\`sh
npm run build
node index.mjs
\`\`\`

It prints:

\`\`\`
one
\`\`\`

Put the key that is printed in
place of \`ck_…\` in [settings.ts](settings.ts), then

\`\`\`sh
node serve.mjs
\`\`\`

On a phone:

\`\`\`
npx run-ios
\`\`\`

\`\`\`json
{}
\`\`\`
`;

it("reads commands with what they print, and edits, in their order", () => {
	expect(readSteps(README)).toEqual([
		{ kind: "commands", commands: "npm run build\nnode index.mjs\n", output: "one\n" },
		{ kind: "edit", placeholder: "ck_…", file: "settings.ts" },
		{ kind: "commands", commands: "node serve.mjs\n", output: undefined },
	]);
});

it.each([
	["node index.mjs\n", false],
	["cd page\nnpm run dev\n", true],
	["node serve.mjs\nnode index.mjs\n", false],
])("tells whether commands stay up: %j", (commands, expected) => {
	expect(isServer(commands)).toBe(expected);
});
