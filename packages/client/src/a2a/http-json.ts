import { isJsonObject } from "@stemma/core/internal";
import { rejectOption } from "../options/client-options";
import type { A2aMethod, Binding } from "./binding";
import type { A2aErrorReason } from "./wire";

type Fields = Readonly<Record<string, unknown>>;

/** Verb, path and where the parameters go that the path does not have. Source: A2A 1.0.1, section 11.3. */
const ROUTES: Readonly<Record<A2aMethod, readonly ["GET" | "POST" | "DELETE", string]>> = {
	SendMessage: ["POST", "/message:send"],
	SendStreamingMessage: ["POST", "/message:stream"],
	GetTask: ["GET", "/tasks/{id}"],
	ListTasks: ["GET", "/tasks"],
	CancelTask: ["POST", "/tasks/{id}:cancel"],
	SubscribeToTask: ["POST", "/tasks/{id}:subscribe"],
	CreateTaskPushNotificationConfig: ["POST", "/tasks/{taskId}/pushNotificationConfigs"],
	GetTaskPushNotificationConfig: ["GET", "/tasks/{taskId}/pushNotificationConfigs/{id}"],
	ListTaskPushNotificationConfigs: ["GET", "/tasks/{taskId}/pushNotificationConfigs"],
	DeleteTaskPushNotificationConfig: ["DELETE", "/tasks/{taskId}/pushNotificationConfigs/{id}"],
	GetExtendedAgentCard: ["GET", "/extendedAgentCard"],
};

/** Reasons of errors without an `ErrorInfo`: by gRPC status name, else by HTTP status (section 5.4). */
const BY_STATUS: Readonly<Record<string, A2aErrorReason>> = {
	NOT_FOUND: "TASK_NOT_FOUND",
	FAILED_PRECONDITION: "UNSUPPORTED_OPERATION",
	INVALID_ARGUMENT: "INVALID_PARAMS",
	INTERNAL: "INTERNAL_ERROR",
	UNIMPLEMENTED: "METHOD_NOT_FOUND",
	400: "INVALID_REQUEST",
	404: "TASK_NOT_FOUND",
	500: "INTERNAL_ERROR",
};

const findReason = (status: unknown): A2aErrorReason | undefined =>
	Object.entries(BY_STATUS).find(([name]) => name === status || Number(name) === status)?.[1];

/** HTTP+JSON (A2A 1.0, section 11). */
export const httpJson: Binding = (method, params) => {
	const [verb, template] = ROUTES[method];
	const { tenant, ...fields }: Fields = { ...params };
	const used = new Set<string>();
	const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
		used.add(name);
		return escapeId(fields[name], name);
	});
	const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !used.has(name)));
	const path = tenant === undefined ? filled : `/${escapeId(tenant, "tenant")}${filled}`;
	const headers = { accept: verb === "GET" || verb === "DELETE" ? ACCEPTED : undefined };
	return {
		request:
			verb === "POST"
				? { method: verb, path, json: rest }
				: { method: verb, path, query: toQuery(rest), headers },
		read(body) {
			if (!isJsonObject(body)) return undefined;
			const { error } = body;
			if (!isJsonObject(error) || typeof error.code !== "number") return { result: body };
			const reason = findReason(error.status) ?? findReason(error.code);
			return { error: { reason, message: error.message, details: error.details } };
		},
	};
};

function escapeId(id: unknown, name: string): string {
	if (typeof id === "string" && !/^\.{0,2}$|[\ud800-\udfff]/u.test(id)) return encodeURIComponent(id);
	return rejectOption(name, "is not an id", "A non-empty string is required.");
}

const ACCEPTED = "application/a2a+json, application/json";

const toQuery = (fields: Fields): Record<string, string> =>
	Object.fromEntries(
		Object.entries(fields)
			.filter(([, value]) => value !== undefined)
			.map(([name, value]) => [name, `${value}`]),
	);
