import { ConfigurationError } from "@stemma/core/errors";
import { assertJsonType, isLoopbackHost, isLoopbackUrl } from "@stemma/protocol";
import { isSameSecret } from "../../platform/is-same-secret";
import { HttpError } from "../http-error";
import type { HttpRequest } from "../http-exchange";

/** Access to the runtime: with the token, from this machine, or by anyone. */
export type Access =
	| { readonly kind: "token"; readonly token: string }
	| { readonly kind: "loopback" | "anyone" };

export interface AccessOptions {
	/** Token that requests must send as `Authorization: Bearer`. Default: the variable `STEMMA_RUNTIME_TOKEN`. */
	readonly token?: string | undefined;
	/** Accepts requests from anywhere where there is no token. Default: only from this machine. */
	readonly allowAnonymous?: boolean | undefined;
}

/**
 * Resolves who may call the runtime, from the options and the environment.
 *
 * @throws ConfigurationError for a token that a header cannot contain, and for a token together with `allowAnonymous`.
 */
export function resolveAccess(
	{ token, allowAnonymous = false }: AccessOptions,
	environment: Readonly<Record<string, string | undefined>>,
): Access {
	// A variable that is set to nothing is not set; an option that is nothing is a mistake.
	const secret = token ?? (environment.STEMMA_RUNTIME_TOKEN || undefined);
	if (secret === undefined) return { kind: allowAnonymous ? "anyone" : "loopback" };
	if (!/^[\x21-\x7e]+$/.test(secret))
		throw new ConfigurationError(
			"The runtime's token is empty, or has spaces or characters outside ASCII in it.",
			{
				option: "token",
				hint: "Set STEMMA_RUNTIME_TOKEN (option `token`) to letters, digits and punctuation, without a line break.",
			},
		);
	if (allowAnonymous)
		throw new ConfigurationError("A token and anonymous access exclude each other.", {
			option: "allowAnonymous",
			hint: "Leave out STEMMA_RUNTIME_TOKEN (option `token`) or --allow-anonymous (option `allowAnonymous`).",
		});
	return { kind: "token", token: secret };
}

/** @throws HttpError when the request may not be answered. */
export function requireAccess(access: Access, request: HttpRequest): void {
	if (access.kind === "token") requireToken(access.token, request.header("authorization"));
	if (access.kind === "loopback") requireLoopback(request);
}

function requireToken(token: string, authorization: string | undefined): void {
	const hint = "Send the token of this runtime: `Authorization: Bearer <STEMMA_RUNTIME_TOKEN>`.";
	if (authorization === undefined)
		throw new HttpError(401, "The request has no credentials.", {
			code: "missing_credentials",
			hint,
		});
	const [, given = ""] = /^bearer +(.*)$/i.exec(authorization) ?? [];
	if (!isSameSecret(given, token))
		throw new HttpError(401, "The credentials of the request are not valid.", {
			code: "invalid_credentials",
			hint,
		});
}

/** Host of the last request that came from loopback: clients usually send the same one again. */
let lastLoopbackHost: string | undefined;

/**
 * Refuses requests that a web page could make a browser on this machine send, also through a name that resolves to this
 * machine.
 */
function requireLoopback(request: HttpRequest): void {
	const origin = request.header("origin");
	const host = request.header("host") ?? "";
	if (host !== lastLoopbackHost && !isLoopbackHost(host))
		throw forbidden("host_not_allowed", "Without a token, requests have to go to a loopback address.");
	lastLoopbackHost = host;
	if (origin !== undefined && !isLoopbackUrl(origin))
		throw forbidden(
			"origin_not_allowed",
			"Without a token, the runtime refuses requests from web pages of other machines.",
		);
	if (request.header("sec-fetch-site")?.toLowerCase() === "cross-site")
		throw forbidden("origin_not_allowed", "Without a token, the runtime refuses requests from other sites.");
	// A POST without a body has no type; routes that read a body demand one themselves. No page can send a type that is
	// JSON without asking first.
	const type = request.header("content-type");
	if (request.method === "POST" && type !== undefined) assertJsonType(type);
}

const forbidden = (code: string, message: string): HttpError =>
	new HttpError(403, message, {
		code,
		hint: "Use http://127.0.0.1, or start the runtime with STEMMA_RUNTIME_TOKEN and send the token.",
	});
