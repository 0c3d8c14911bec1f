import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { Stemma } from "@stemma/client";
import * as agUi from "@stemma/client/ag-ui";
import * as aiSdk from "@stemma/client/ai-sdk";
import type { FrontEndFixture } from "./fixture";

const guide = new URL("../../docs/front-ends.md", import.meta.url);

/** Route of docs/front-ends.md that imports from an entry, for an agent of the test and with a client of its service. */
export function readGuideRoute(
	{ service: { credentials, deployment } }: FrontEndFixture,
	entry: "ag-ui" | "ai-sdk",
	agent: string,
): (request: Request) => Promise<Response> {
	const blocks = [...readFileSync(guide, "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map(
		([, code = ""]) => code,
	);
	const code = blocks.find((block) => block.includes(`@stemma/client/${entry}`)) ?? "";
	const program = stripTypeScriptTypes(code)
		.replace(/^import .*$/gm, "")
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
