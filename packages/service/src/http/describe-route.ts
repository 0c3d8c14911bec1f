import type { MiddlewareHandler } from "hono";
import type * as z from "zod";
import type { ResponseName } from "../openapi/response-types";
import type { ServiceEnvironment } from "./service-context";

/** Bodies of a response by their media type; a name alone is JSON, an empty object no body. */
export type ResponseContent =
	| ResponseName
	| { readonly [mediaType: string]: ResponseName | "text" | "bytes" };

/** Request body that is no JSON of a schema. */
export type OtherBody =
	| { readonly form: readonly string[]; readonly required: readonly string[] }
	/** Files in a form (multipart/form-data), or JSON where there is a schema, too. */
	| { readonly files: true }
	/** JSON of a protocol that is described elsewhere. */
	| { readonly external: string };

/** Description of a route for the OpenAPI document. Its schemas are those that check the request. */
export interface RouteDescription {
	/** Purpose of the route, as an imperative. */
	readonly summary: string;
	/** Schema of the JSON body. */
	readonly body?: z.ZodType;
	/** True where the body may be left out. Default false. */
	readonly isBodyOptional?: boolean;
	readonly otherBody?: OtherBody;
	/** Schema of the parameters in the query, besides `limit` and `after`. */
	readonly query?: z.ZodObject;
	/** True for lists, which take `limit` and `after`. Default false. */
	readonly isList?: boolean;
	/** True where the route takes `Idempotency-Key`. Default false. */
	readonly isIdempotent?: boolean;
	/** Responses without an error, by status. */
	readonly responses: { readonly [status: number]: ResponseContent };
	/** Codes of errors that not every route has. Their statuses are those of `statuses`. */
	readonly errors?: readonly string[];
	/** True where models are called: their errors are errors of the route, too. Default false. */
	readonly callsModels?: boolean;
	/** Statuses of errors that have no codes of the service. Default none. */
	readonly otherErrors?: readonly number[];
	/** Form of the errors. Default: that of the service. */
	readonly errorForm?: "oauth" | "external";
	/** A body that the schema allows. */
	readonly example?: unknown;
}

const descriptions = new WeakMap<object, RouteDescription>();

/**
 * A handler that does nothing but carry the description of its route.
 *
 * @example app.get("/v1/agents/:id", describeRoute({ summary: "Get an agent", responses: { 200: "StoredAgent" } }), …)
 */
export function describeRoute(description: RouteDescription): MiddlewareHandler<ServiceEnvironment> {
	const handler: MiddlewareHandler<ServiceEnvironment> = (_, next) => next();
	descriptions.set(handler, description);
	return handler;
}

/** Finds the description that a handler carries. */
export const findDescription = (handler: object): RouteDescription | undefined => descriptions.get(handler);
