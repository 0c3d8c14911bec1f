import { readSse, type TestAgent } from "./test-agent";

export const BINDINGS = ["JSONRPC", "HTTP+JSON"] as const;
export type TestBinding = (typeof BINDINGS)[number];

type Params = Readonly<Record<string, unknown>>;

/** Outcome of a call, in the terms that both bindings share. */
export interface Outcome {
	// biome-ignore lint/suspicious/noExplicitAny: answers are read by assertions.
	readonly result?: any;
	/** Reason of the error's `ErrorInfo`. */
	readonly reason?: string;
	readonly message?: string;
	readonly response: Response;
}

interface RestCall {
	readonly verb: string;
	readonly path: string;
	/** Parameters that are not in the path: in the query of a GET, else in the body. */
	readonly rest: Params;
}

const toRestCall = (method: string, params: Params): RestCall => {
	const { id, taskId, ...others } = params;
	const configs = `/tasks/${taskId}/pushNotificationConfigs`;
	const withId = id === undefined ? others : { id, ...others };
	const calls: Readonly<Record<string, RestCall>> = {
		SendMessage: { verb: "POST", path: "/message:send", rest: params },
		SendStreamingMessage: { verb: "POST", path: "/message:stream", rest: params },
		GetTask: { verb: "GET", path: `/tasks/${id}`, rest: others },
		ListTasks: { verb: "GET", path: "/tasks", rest: params },
		CancelTask: { verb: "POST", path: `/tasks/${id}:cancel`, rest: others },
		SubscribeToTask: { verb: "POST", path: `/tasks/${id}:subscribe`, rest: others },
		CreateTaskPushNotificationConfig: { verb: "POST", path: configs, rest: withId },
		GetTaskPushNotificationConfig: { verb: "GET", path: `${configs}/${id}`, rest: others },
		ListTaskPushNotificationConfigs: { verb: "GET", path: configs, rest: others },
		DeleteTaskPushNotificationConfig: { verb: "DELETE", path: `${configs}/${id}`, rest: others },
		GetExtendedAgentCard: { verb: "GET", path: "/extendedAgentCard", rest: others },
	};
	const call = calls[method];
	if (call === undefined) throw new Error(`no method ${method}`);
	return call;
};

function sendWithBinding(
	agent: TestAgent,
	binding: TestBinding,
	method: string,
	params: Params,
): Promise<Response> {
	if (binding === "JSONRPC") return agent.open(method, params);
	const { verb, path, rest } = toRestCall(method, params);
	const query = new URLSearchParams(Object.entries(rest).map(([name, value]) => [name, String(value)]));
	if (verb !== "POST") return agent.send(query.size === 0 ? path : `${path}?${query}`, { method: verb });
	const headers = { "content-type": "application/a2a+json" };
	return agent.send(path, { method: verb, headers, body: JSON.stringify(rest) });
}

/** Calls a method over a binding; a stream is read to its end, and is a list then. */
export async function callWithBinding(
	agent: TestAgent,
	binding: TestBinding,
	method: string,
	params: Params = {},
): Promise<Outcome> {
	const response = await sendWithBinding(agent, binding, method, params);
	if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
		const data = (await readSse(response)).map((event) => JSON.parse(event.data));
		return { response, result: data.map((json) => json.result ?? json) };
	}
	const text = await response.text();
	const body = text === "" ? {} : JSON.parse(text);
	const { error } = body;
	if (error === undefined) return { response, result: binding === "JSONRPC" ? body.result : body };
	const [info] = error.data ?? error.details;
	return { response, reason: info.reason, message: error.message };
}
