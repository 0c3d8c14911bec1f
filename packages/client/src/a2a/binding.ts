import type { ServiceRequest } from "../client";
import type { A2aErrorReason } from "./wire";

/** Methods of an A2A agent, which each binding puts on the wire. */
export type A2aMethod =
	| "SendMessage"
	| "SendStreamingMessage"
	| "GetTask"
	| "ListTasks"
	| "CancelTask"
	| "SubscribeToTask"
	| "CreateTaskPushNotificationConfig"
	| "GetTaskPushNotificationConfig"
	| "ListTaskPushNotificationConfigs"
	| "DeleteTaskPushNotificationConfig"
	| "GetExtendedAgentCard";

/** Binding of the protocol to the wire. The parameters are the same in all bindings: those of `a2a.proto`. */
export type Binding = (method: A2aMethod, params: object) => BoundRequest;

export interface BoundRequest {
	/** The path comes after that of the interface. */
	readonly request: Pick<ServiceRequest, "method" | "path" | "query" | "json" | "headers">;
	/** Reads a response, or one event of it; `undefined` for what is no response to this request. */
	read(body: unknown): BindingResponse | undefined;
}

export type BindingResponse = { readonly result: unknown } | { readonly error: BindingError };

/** A failure: an error in the protocol, or the text alone. */
export type FailureResponse = { readonly error: BindingError } | { readonly text: string };

/** An error as the agent words it. */
export interface BindingError {
	readonly rpcCode?: number;
	/** Reason for errors whose `details` have none. */
	readonly reason?: A2aErrorReason | undefined;
	readonly message: unknown;
	/** A list with an `ErrorInfo`, if it is as it should be. */
	readonly details: unknown;
}
