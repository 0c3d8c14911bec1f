// An A2A agent of the official SDK that counts as far as it is told; prints its address.
import { A2A_PROTOCOL_VERSION, AGENT_CARD_PATH, AgentCard, StreamResponse, Task } from "@a2a-js/sdk";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";

const executor = {
	async execute({ userMessage, taskId, contextId }, bus) {
		const publish = (event) => {
			const { payload } = StreamResponse.fromJSON(event);
			bus.publish(AgentEvent[payload.$case](payload.value));
		};
		const toStatus = (state) => ({ state: `TASK_STATE_${state}`, timestamp: new Date().toISOString() });
		bus.publish(AgentEvent.task(Task.fromJSON({ id: taskId, contextId, status: toStatus("SUBMITTED") })));
		const count = Number(userMessage.parts[0].content.value);
		for (let number = 1; number <= count; number++)
			publish({
				artifactUpdate: {
					taskId,
					contextId,
					artifact: { artifactId: "answer", parts: [{ text: `${number} ` }] },
					append: number > 1,
					lastChunk: number === count,
				},
			});
		publish({ statusUpdate: { taskId, contextId, status: toStatus("COMPLETED") } });
		bus.finished();
	},
	async cancelTask() {},
};

const app = express();
const server = app.listen(0, "127.0.0.1", () => {
	const url = `http://127.0.0.1:${server.address().port}`;
	const card = AgentCard.fromJSON({
		name: "bench",
		description: "Counts.",
		version: "1.0.0",
		supportedInterfaces: [
			{ url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: A2A_PROTOCOL_VERSION },
		],
		capabilities: { streaming: true },
		defaultInputModes: ["text/plain"],
		defaultOutputModes: ["text/plain"],
		skills: [],
	});
	const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
	app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: requestHandler }));
	app.use("/rpc", jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
	console.log(url);
});
