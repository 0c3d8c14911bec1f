import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

it("the lines for React Native in the guide on front ends are those of the example, which tools/react-native runs", () => {
	const [, code = ""] =
		/^## React Native\n[\s\S]*?```jsx\n([\s\S]*?)```/m.exec(read("../../docs/front-ends.md")) ?? [];
	const app = read("../../examples/react-native-app/App.tsx");
	const parts = code.split("// …\n");
	expect(parts.length).toBeGreaterThan(3);
	expect(parts.filter((part) => !app.includes(part))).toEqual([]);
});

it("the chat for Next.js in the guide on the client is that of the app, which tools/bundlers builds and uses", () => {
	const code = [...read("../../docs/client.md").matchAll(/^```jsx\n([\s\S]*?)^```$/gm)].map(
		([, block]) => block,
	);
	expect(code).toContain(read("../bundlers/apps/next/app/desk.jsx"));
});
