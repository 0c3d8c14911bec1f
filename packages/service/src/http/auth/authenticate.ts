import type { Scope } from "@stemma/client";
import type { MiddlewareHandler } from "hono";
import { assertVisiblePath } from "../../access/assert-visible";
import { invalidCredentials } from "../../auth/authenticator";
import type { Caller } from "../../auth/caller";
import { DomainError } from "../../errors/domain-error";
import { workspaceUnavailable } from "../../workspaces/workspace-errors";
import type { ServiceContext, ServiceEnvironment } from "../service-context";
import { findAppCaller } from "./app-caller";
import { findSessionCaller } from "./session-caller";
import { findTokenCaller } from "./token-caller";

export type { Caller, ClientCaller, ClientKeyCaller, UserCaller } from "../../auth/caller";

/** Requirements of a route for its caller. */
export interface CallerRequirements {
	/** The caller needs one of these scopes; none for any caller. */
	readonly scopes: readonly Scope[];
	/** Client keys may use the route, and browsers of other origins with them. Default false. */
	readonly clientKeys?: boolean;
	/** The caller's workspace must be available. Default true; where it is false, `workspace` may not be set. */
	readonly needsWorkspace?: boolean;
	/**
	 * The credential is the token in the address of the document that the path names as `documentId`; pages of other
	 * origins may read it. Default false: the header `authorization`.
	 */
	readonly documentToken?: boolean;
	/** The credential may be a client id and its secret, `cl_….cs_…`, for programs that keep one API key. Default false. */
	readonly clientSecrets?: boolean;
	/** The credential may also come in the header `x-api-key`, in which Anthropic's clients send it. Default false. */
	readonly apiKeyHeader?: boolean;
	/**
	 * People may use the route with their session, or an access token of an issuer. Default true; where it is false, cookies
	 * are ignored.
	 */
	readonly sessions?: boolean;
	/**
	 * Apps may use the route as the person that gave them access: to the resource that this returns for the path. Default:
	 * no app may, and their tokens are none.
	 */
	readonly appResource?: (path: string) => string;
}

const crossOriginRoutes = new WeakSet<object>();
const requirements = new WeakMap<object, CallerRequirements>();

/** Finds what a handler of {@link requireCaller} requires. */
export const findRequirements = (handler: object): CallerRequirements | undefined =>
	requirements.get(handler);

/**
 * True for the handlers of {@link requireCaller} that let client keys in, and of {@link allowCrossOrigin}: their routes answer
 * across origins.
 */
export const isCrossOriginRoute = (handler: object): boolean => crossOriginRoutes.has(handler);

/** Marks the handler of an open route that pages of all origins may read. */
export function allowCrossOrigin<Handler extends object>(handler: Handler): Handler {
	crossOriginRoutes.add(handler);
	return handler;
}

/**
 * The first handler of each route but the open ones: sets `caller` and `workspace`.
 *
 * @example app.post("/v1/ask", requireCaller({ scopes: ["ask"], clientKeys: true }), (context) => …)
 */
export function requireCaller({
	scopes,
	clientKeys = false,
	needsWorkspace = true,
	documentToken = false,
	clientSecrets = false,
	apiKeyHeader = false,
	sessions = !documentToken,
	appResource,
}: CallerRequirements): MiddlewareHandler<ServiceEnvironment> {
	const handler: MiddlewareHandler<ServiceEnvironment> = async (context, next) => {
		const { authenticator, turns, workspaces } = context.get("kernel");
		const origin = context.req.header("origin");
		const authorization = readAuthorization(context, apiKeyHeader);
		const user = sessions
			? ((await findSessionCaller(context, authorization)) ?? (await findTokenCaller(context, authorization)))
			: appResource && (await findAppCaller(context, authorization, appResource(context.req.path)));
		const caller = documentToken
			? await authenticator.authenticateDocument({ ...readDocumentAddress(context), origin })
			: (user ??
				(await authenticator.authenticate({ authorization, origin, allowsClientSecret: clientSecrets })));
		// Before the checks: the log tells who was refused.
		context.set("caller", caller);
		// A cookie does not keep shared caches from storing a response.
		if (caller.kind === "user") context.header("cache-control", "no-store");
		if (caller.kind === "client") context.get("span")?.trustUsageClaim();
		authenticator.countRequest(caller);
		if (caller.kind === "client_key" && !clientKeys && !documentToken) throw notForClientKeys();
		if (scopes.length > 0) assertScope(caller, ...scopes);
		const workspace = await workspaces.obtain(caller.workspaceId);
		if (workspace === undefined) {
			// Else it was deleted at this moment, and its credentials with it.
			if (workspaces.findUnavailable(caller.workspaceId) === undefined) throw invalidCredentials();
			if (needsWorkspace) throw workspaceUnavailable(caller.workspaceId);
			return next();
		}
		context.set("workspace", workspace);
		workspace.requests.assertFree(caller);
		const leaves = [workspace.inFlight.enter(), workspace.requests.enter(caller)];
		try {
			await turns.start(workspace.id, context.req.raw.signal);
			await assertVisiblePath({ caller, workspace }, context.req.path);
			await next();
		} finally {
			for (const leave of leaves) leave();
		}
	};
	if (clientKeys || documentToken) crossOriginRoutes.add(handler);
	requirements.set(handler, {
		scopes,
		clientKeys,
		documentToken,
		clientSecrets,
		apiKeyHeader,
		sessions,
		...(appResource && { appResource }),
	});
	return handler;
}

function readAuthorization({ req }: ServiceContext, apiKeyHeader: boolean): string | undefined {
	const authorization = req.header("authorization");
	const apiKey = apiKeyHeader ? req.header("x-api-key") : undefined;
	return authorization ?? (apiKey === undefined ? undefined : `Bearer ${apiKey}`);
}

const readDocumentAddress = ({ req }: ServiceContext) => ({
	documentId: req.param("documentId") ?? "",
	token: req.query("token"),
});

/** @throws DomainError `missing_scope` where the caller has none of these scopes. */
export function assertScope(caller: Caller, ...anyOf: readonly Scope[]): void {
	if (anyOf.some((scope) => caller.scopes.includes(scope))) return;
	const names = anyOf.map((scope) => `"${scope}"`).join(" or ");
	throw new DomainError("missing_scope", `This needs the scope ${names}.`, {
		hint: "Use a credential that has it, or ask for it with the access token.",
		details: { scopes: [...anyOf] },
	});
}

/** @throws DomainError `missing_scope`, with all of these scopes that the caller lacks. */
export function assertAllScopes(caller: Pick<Caller, "scopes">, scopes: readonly Scope[]): void {
	const missing = scopes.filter((scope) => !caller.scopes.includes(scope));
	if (missing.length === 0) return;
	const names = missing.map((scope) => `"${scope}"`).join(", ");
	throw new DomainError("missing_scope", `Your credential lacks ${names}.`, {
		hint: "Use a client that also has these scopes. The owner of the data folder creates one on the machine of the service: stemma clients create --data <folder> --scopes all",
		details: { scopes: missing },
	});
}

const notForClientKeys = (): DomainError =>
	new DomainError("not_allowed_for_client_key", "A client key may not do this.", {
		hint: "Client keys are for browsers and phones. Call this from a server, with an access token of a client.",
	});
