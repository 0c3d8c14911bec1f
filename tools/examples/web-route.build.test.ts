import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../examples/web-route/", import.meta.url));

/** Loads the route as `next build` does when it collects page data, and then asks it. */
const PROGRAM = `
const { POST } = await import("./route.mjs");
const body = JSON.stringify({ question: "How long do refunds take?" });
const answer = await POST(new Request("http://localhost/api/ask", { method: "POST", body }));
console.log(answer.status, await answer.text());
`;

it("the route loads without credentials, and the first request says that they are missing", async () => {
	const { STEMMA_CLIENT_ID: _, STEMMA_CLIENT_SECRET: __, ...env } = process.env;
	const args = ["--input-type=module", "-e", PROGRAM];
	const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
	expect(stdout.trim()).toBe('502 {"error":"configuration"}');
});
