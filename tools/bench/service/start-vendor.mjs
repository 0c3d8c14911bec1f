import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Starts a vendor's stand-in, in a process of its own. */
export async function startVendor() {
	const child = fork(fileURLToPath(new URL("./vendor.mjs", import.meta.url)));
	const [{ baseUrl }] = await once(child, "message");
	async function post(path, body) {
		const headers = { "content-type": "application/json", authorization: "Bearer sk-bench" };
		const response = await fetch(`${baseUrl}${path}`, { method: "POST", headers, body });
		return response.text();
	}
	return {
		baseUrl,
		/** Sends a body and reads the answer, both as text. */
		post,
		/** The bodies of the last two requests for completions, as text. */
		seen: async () => JSON.parse(await post("/seen", "{}")).seen,
		async stop() {
			child.disconnect();
			await once(child, "exit");
		},
	};
}
