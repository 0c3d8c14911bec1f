import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const SERVICE = fileURLToPath(new URL("../../../packages/service/src", import.meta.url));
const ENTRY = `
export { createCompletionEncoder } from "./completions/completion-stream";
export { createMessageEncoder } from "./messages/message-stream";
export { createRunReplyReducer } from "./replies/run-reply";
export { createResponseEncoder } from "./responses/response-stream";
`;

/**
 * Encoders of the service for the formats of OpenAI and Anthropic, bundled from its sources, as no package exports them.
 * Each takes the events of a run, as the service does for a model that is an agent.
 */
export async function loadServiceEncoders() {
	const folder = await mkdtemp(join(tmpdir(), "stemma-encoders-"));
	const outfile = join(folder, "encoders.mjs");
	const options = { bundle: true, platform: "node", format: "esm", logLevel: "error" };
	try {
		await build({ ...options, stdin: { contents: ENTRY, resolveDir: SERVICE, loader: "ts" }, outfile });
		return toEncoders(await import(pathToFileURL(outfile).href));
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

const toEncoders = ({
	createCompletionEncoder,
	createMessageEncoder,
	createResponseEncoder,
	createRunReplyReducer,
}) => {
	const ofRun = (createEncoder) => () => {
		const toReply = createRunReplyReducer();
		const encode = createEncoder();
		return (event) => toReply(event).flatMap(encode);
	};
	const model = "agent:desk";
	return {
		"chat completions": ofRun(() =>
			createCompletionEncoder(
				{ id: "chatcmpl-1", created: 1, model, canSeeReceipt: true, isLegacy: false },
				true,
			),
		),
		responses: ofRun(() => {
			const head = { id: "resp_1", object: "response", model };
			return createResponseEncoder({ id: "resp_1", head, canSeeReceipt: true }).encode;
		}),
		messages: ofRun(() => createMessageEncoder({ id: "msg_1", model, canSeeReceipt: true })),
	};
};
