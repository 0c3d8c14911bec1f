import { A2aServerError } from "../a2a-server-error";
import type { MethodName } from "../methods/methods";
import type { Params } from "../requests/params";

/** A path of the HTTP+JSON binding, and the method behind it. */
interface RestRoute {
	readonly verbs: readonly string[];
	/** Pattern of the path; its groups are parameters. */
	readonly path: RegExp;
	readonly method: MethodName;
	/** HTTP status of the answer. Default 200. */
	readonly status?: number;
}

const CONFIGS = "/tasks/(?<taskId>[^/]+)/pushNotificationConfigs";

/** Source: A2A 1.0.1, section 11.3; `:subscribe` is POST there and GET in `a2a.proto`, so both are taken. */
const ROUTES: readonly RestRoute[] = [
	{ verbs: ["POST"], path: /^\/message:send$/, method: "SendMessage" },
	{ verbs: ["POST"], path: /^\/message:stream$/, method: "SendStreamingMessage" },
	{ verbs: ["GET"], path: /^\/tasks$/, method: "ListTasks" },
	{ verbs: ["POST"], path: /^\/tasks\/(?<id>[^/]+):cancel$/, method: "CancelTask" },
	{ verbs: ["POST", "GET"], path: /^\/tasks\/(?<id>[^/]+):subscribe$/, method: "SubscribeToTask" },
	{ verbs: ["GET"], path: /^\/tasks\/(?<id>[^/]+)$/, method: "GetTask" },
	{
		verbs: ["POST"],
		path: new RegExp(`^${CONFIGS}$`),
		method: "CreateTaskPushNotificationConfig",
		status: 201,
	},
	{ verbs: ["GET"], path: new RegExp(`^${CONFIGS}$`), method: "ListTaskPushNotificationConfigs" },
	{ verbs: ["GET"], path: new RegExp(`^${CONFIGS}/(?<id>[^/]+)$`), method: "GetTaskPushNotificationConfig" },
	{
		verbs: ["DELETE"],
		path: new RegExp(`^${CONFIGS}/(?<id>[^/]+)$`),
		method: "DeleteTaskPushNotificationConfig",
		status: 204,
	},
	{ verbs: ["GET"], path: /^\/extendedAgentCard$/, method: "GetExtendedAgentCard" },
];

export interface FoundRoute {
	readonly method: MethodName;
	readonly status: number;
	/** Parameters from the path. */
	readonly params: Params;
}

/** @throws A2aServerError where there is no such path, or not by that verb. */
export function findRestRoute(verb: string, path: string): FoundRoute {
	const matchingRoutes = ROUTES.filter((route) => route.path.test(path) && !isShadowed(route, path));
	const route = matchingRoutes.find(({ verbs }) => verbs.includes(verb));
	if (route !== undefined)
		return { method: route.method, status: route.status ?? 200, params: readPath(route, path) };
	if (matchingRoutes.length === 0)
		throw new A2aServerError("METHOD_NOT_FOUND", `There is no path ${JSON.stringify(path.slice(0, 80))}.`, {
			hint: "Send one of the paths of A2A 1.0, such as /message:send, after the address in the agent's card.",
		});
	const allow = [...new Set(matchingRoutes.flatMap(({ verbs }) => verbs))].join(", ");
	throw new A2aServerError("METHOD_NOT_FOUND", `This path supports ${allow}.`, {
		status: 405,
		headers: { allow },
	});
}

/** A task's path would fit what is done to a task, too. */
const isShadowed = ({ method }: RestRoute, path: string): boolean =>
	method === "GetTask" && /:(cancel|subscribe)$/.test(path);

function readPath({ path: pattern }: RestRoute, path: string): Params {
	const groups = Object.entries(pattern.exec(path)?.groups ?? {});
	return Object.fromEntries(groups.map(([name, text]) => [name, decode(name, text)]));
}

function decode(name: string, text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		throw new A2aServerError("INVALID_PARAMS", `${name}: The path is not encoded properly.`, { param: name });
	}
}
