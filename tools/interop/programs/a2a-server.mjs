import { setTimeout as wait } from "node:timers/promises";
import { A2A_PROTOCOL_VERSION, AGENT_CARD_PATH, AgentCard, Message, StreamResponse, Task } from "@a2a-js/sdk";
import {
	AgentEvent,
	DefaultPushNotificationSender,
	DefaultRequestHandler,
	InMemoryPushNotificationStore,
	InMemoryTaskStore,
} from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import { createPeer } from "./peer.mjs";

const { app, record, listen } = createPeer();

/** By tasks: they stop at the next step. */
const cancelled = new Set();

/** Publishes what is written as on the wire. */
function createPublisher(bus, { taskId, contextId }) {
	const publish = (event) => {
		const { payload } = StreamResponse.fromJSON(event);
		bus.publish(AgentEvent[payload.$case](payload.value));
	};
	const message = (text) => ({
		messageId: `${taskId}-${text}`,
		role: "ROLE_AGENT",
		taskId,
		contextId,
		parts: [{ text }],
	});
	const toStatus = (state, text) => ({
		state: `TASK_STATE_${state}`,
		timestamp: new Date().toISOString(),
		...(text === undefined ? {} : { message: message(text) }),
	});
	return {
		task: (userMessage) =>
			bus.publish(
				AgentEvent.task({
					...Task.fromJSON({ id: taskId, contextId, status: toStatus("SUBMITTED") }),
					history: [userMessage],
				}),
			),
		status: (state, text) => publish({ statusUpdate: { taskId, contextId, status: toStatus(state, text) } }),
		artifact: (parts, { append = false, lastChunk = false } = {}) =>
			publish({
				artifactUpdate: {
					taskId,
					contextId,
					artifact: { artifactId: "answer", name: "Answer", parts },
					append,
					lastChunk,
				},
			}),
		message: (text) => bus.publish(AgentEvent.message(Message.fromJSON({ ...message(text), taskId: "" }))),
	};
}

/** Does what the first word of the message says. */
const BEHAVIOURS = {
	async message(publisher, rest) {
		publisher.message(`You said: ${rest}`);
	},
	async count(publisher, to) {
		publisher.status("WORKING");
		for (let number = 1; number <= Number(to); number += 1)
			publisher.artifact([{ text: `${number} ` }], { append: number > 1, lastChunk: number === Number(to) });
		publisher.status("COMPLETED");
	},
	async slowly(publisher, to, taskId) {
		publisher.status("WORKING");
		for (let number = 1; number <= Number(to) && !cancelled.has(taskId); number += 1) {
			publisher.artifact([{ text: `${number} ` }], { append: number > 1, lastChunk: number === Number(to) });
			await wait(50);
		}
		publisher.status(cancelled.has(taskId) ? "CANCELED" : "COMPLETED");
	},
	async forever(publisher, _rest, taskId) {
		publisher.status("WORKING", "It takes its time.");
		while (!cancelled.has(taskId)) await wait(20);
		record({ event: "cancelled", taskId });
		publisher.status("CANCELED");
	},
	async parts(publisher) {
		publisher.artifact([
			{ data: { rows: [1, 2] } },
			{ raw: "aGVsbG8=", mediaType: "text/plain", filename: "hello.txt" },
			{ url: "https://files.example/plan.pdf", mediaType: "application/pdf" },
		]);
		publisher.status("COMPLETED");
	},
	async ask(publisher) {
		publisher.status("INPUT_REQUIRED", "Which one?");
	},
	async authorize(publisher) {
		publisher.status("AUTH_REQUIRED", "May it be refunded?");
	},
	async fail(publisher) {
		publisher.status("FAILED", "The warehouse is closed.");
	},
	async reject(publisher) {
		publisher.status("REJECTED", "Not here.");
	},
	async throw() {
		throw new Error("Nobody expected this.");
	},
};

const executor = {
	async execute({ userMessage, taskId, contextId, task }, bus) {
		const [part] = userMessage.parts;
		const { $case, value } = part?.content ?? {};
		const text = $case === "text" ? value : JSON.stringify(value);
		const [act, ...rest] = text.split(" ");
		record({ event: "executes", text, taskId, contextId });
		const publisher = createPublisher(bus, { taskId, contextId });
		if (act !== "message" && task === undefined) publisher.task(userMessage);
		if (task !== undefined) {
			bus.publish(AgentEvent.task(task));
			publisher.artifact([{ text: `You chose ${text}.` }]);
			publisher.status("COMPLETED");
		} else await BEHAVIOURS[act](publisher, rest.join(" "), taskId);
		bus.finished();
	},
	async cancelTask(taskId) {
		cancelled.add(taskId);
	},
};

const AGENT_CARDS = {
	both: ["JSONRPC", "HTTP+JSON"],
	rest: ["HTTP+JSON"],
	drops: ["JSONRPC"],
	"drops-rest": ["HTTP+JSON"],
	plain: ["JSONRPC"],
};

const toCard = (url, name) => ({
	name: `official ${name}`,
	description: "Does what the first word says.",
	version: "1.3.0",
	supportedInterfaces: AGENT_CARDS[name].map((protocolBinding) => ({
		url: `${url}/${name}/${protocolBinding === "JSONRPC" ? "rpc" : "v1"}`,
		protocolBinding,
		protocolVersion: A2A_PROTOCOL_VERSION,
	})),
	capabilities: {
		streaming: name !== "plain",
		pushNotifications: name === "both",
		extendedAgentCard: name === "both",
	},
	defaultInputModes: ["text/plain"],
	defaultOutputModes: ["text/plain"],
	skills: [{ id: "commands", name: "Commands", description: "Does as it is told.", tags: ["test"] }],
});

/** Cuts the first stream that was not asked for by `SubscribeToTask`, in the middle. */
function cutFirstStream(request, response, next) {
	if (/subscribe/i.test(`${request.path}${request.body?.method}`)) return next();
	const write = response.write.bind(response);
	let events = 0;
	response.write = (chunk, ...rest) => {
		const done = write(chunk, ...rest);
		events += String(chunk).split("data:").length - 1;
		if (events >= 4 && String(response.getHeader("content-type")).startsWith("text/event-stream"))
			setImmediate(() => request.socket.destroy());
		return done;
	};
	next();
}

function serve(url, name) {
	const card = AgentCard.fromJSON(toCard(url, name));
	const pushConfigs = new InMemoryPushNotificationStore();
	const requestHandler = new DefaultRequestHandler(
		card,
		new InMemoryTaskStore(),
		executor,
		undefined,
		pushConfigs,
		new DefaultPushNotificationSender(pushConfigs),
		async () => AgentCard.fromJSON({ ...toCard(url, name), description: "Says more to those it knows." }),
	);
	const options = { requestHandler, userBuilder: UserBuilder.noAuthentication };
	if (name.startsWith("drops")) app.use(`/${name}`, cutFirstStream);
	app.use(`/${name}/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: requestHandler }));
	app.use(`/${name}/rpc`, jsonRpcHandler(options));
	app.use(`/${name}/v1`, restHandler(options));
}

/** Of an agent that knows A2A 0.3 alone. */
const toOldCard = (url) => ({
	name: "official old",
	description: "Knows the version before.",
	version: "1.0.0",
	protocolVersion: "0.3.0",
	url: `${url}/old/rpc`,
	preferredTransport: "JSONRPC",
	capabilities: { streaming: true },
	defaultInputModes: ["text/plain"],
	defaultOutputModes: ["text/plain"],
	skills: [],
});

listen((url) => {
	for (const name of Object.keys(AGENT_CARDS)) serve(url, name);
	app.get(`/old/${AGENT_CARD_PATH}`, (_request, response) => response.json(toOldCard(url)));
	app.post("/hook", (_request, response) => response.status(204).end());
});
