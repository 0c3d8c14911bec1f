import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { Stemma } from "@stemma/client";
import * as agUi from "@stemma/client/ag-ui";
import * as aiSdk from "@stemma/client/ai-sdk";
import type { FrontEndFixture } from "./fixture";

const guide = new URL("../../docs/front-ends.md", import.meta.url);

const listBlocks = (language: string): readonly string[] =>
	[...readFileSync(guide, "utf8").matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
		([, code = ""]) => code,
	);

const withoutImports = (code: string): string => code.replace(/^import .*$/gm, "");

/**
 * Runs the program of docs/front-ends.md that uses AG-UI's client.
 *
 * @param names - what it imports, and the settings that it names.
 */
export async function runGuideProgram(
	names: Readonly<Record<string, unknown>>,
	agent: string,
): Promise<void> {
	const [code = ""] = listBlocks("js");
	const program = withoutImports(code).replace("support-desk", agent);
	const createProgram = new Function(...Object.keys(names), `return async () => {${program}}`);
	await createProgram(...Object.values(names))();
}

/** Route of docs/front-ends.md that imports from an entry, for an agent of the test and with a client of its service. */
export function readGuideRoute(
	{ service: { credentials, deployment } }: FrontEndFixture,
	entry: "ag-ui" | "ai-sdk",
	agent: string,
): (request: Request) => Promise<Response> {
	const code = listBlocks("ts").find((block) => block.includes(`@stemma/client/${entry}`)) ?? "";
	const program = withoutImports(stripTypeScriptTypes(code))
		.replace("export async function POST", "return async function POST")
		.replace('"support-desk"', JSON.stringify(agent));
	const client = new Stemma({
		baseUrl: "http://service.test",
		clientId: credentials.client_id,
		clientSecret: credentials.client_secret,
		fetch: (url, init) => deployment.service.fetch(new Request(url, init)),
	});
	// Called with `new`, which an arrow function cannot be.
	const StubStemma = new Function("client", "return function () { return client; }")(client);
	const names = { Stemma: StubStemma, ...aiSdk, ...agUi };
	return new Function(...Object.keys(names), program)(...Object.values(names));
}
