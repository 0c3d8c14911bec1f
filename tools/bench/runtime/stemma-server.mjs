// Our runtime over a scripted model: `node stemma-server.mjs <events a second>`.
import { startRuntime } from "../../../packages/runtime/dist/index.js";
import { createReplyModel, createScriptedModel } from "../engine/scripted-model.mjs";
import { serveParent } from "./parent.mjs";
import { createTicker } from "./ticker.mjs";

const ticker = createTicker(Number(process.argv[2] ?? 0));
const endlessModel = {
	...createScriptedModel(() => undefined),
	async *stream() {
		for await (const text of ticker.read()) yield { type: "text.delta", text };
	},
};
const models = { desk: createReplyModel(), chatter: endlessModel };

const runtime = await startRuntime({
	agents: {
		desk: { nodes: [{ id: "desk", kind: "coordinator", instructions: "Answer." }] },
		chatter: { nodes: [{ id: "chatter", kind: "coordinator", instructions: "Go on." }] },
	},
	ports: {
		models: {
			resolve: ({ node }) => ({ model: models[node], payer: "deployment", reason: "It is scripted." }),
		},
	},
	port: 0,
	log: () => undefined,
});
serveParent(runtime.url, { start: ticker.start });
