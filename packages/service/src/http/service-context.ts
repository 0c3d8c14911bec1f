import type { Context, Hono } from "hono";
import type { Caller } from "../auth/caller";
import type { ByteAccount } from "../fairness/byte-budget";
import type { ServiceKernel } from "../kernel";
import type { Workspace } from "../workspaces/workspace";
import type { ErrorFormat } from "./errors/error-format";
import type { RequestSpan } from "./request-span";

/** Known facts about a request's connection; where proxies are trusted, about the client that they name. */
export interface ConnectionInfo {
	/** IP address; left out where there is no connection. */
	readonly address?: string | undefined;
	/** The request came over HTTPS, as a trusted proxy says; left out where no proxies are configured. */
	readonly isSecure?: boolean | undefined;
}

/** `caller` and `workspace` are there behind `requireCaller`. */
export interface ServiceEnvironment {
	Bindings: ConnectionInfo;
	Variables: {
		requestId: string;
		caller: Caller;
		workspace: Workspace;
		/** Number of services and runtimes that the request came through. */
		depth: number;
		kernel: ServiceKernel;
		/** Counts what the request's body takes of the memory; none before it is read. */
		bodyAccount: ByteAccount | undefined;
		/** Span of the request, where it is traced. */
		span: RequestSpan | undefined;
		/** Form of the errors of a route whose protocol has its own. */
		errorFormat: ErrorFormat | undefined;
	};
}

export type ServiceApp = Hono<ServiceEnvironment>;

export type ServiceContext = Context<ServiceEnvironment>;
