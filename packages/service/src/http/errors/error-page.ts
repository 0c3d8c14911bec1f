import { createHash } from "node:crypto";
import { toErrorHeaders } from "@stemma/protocol";
import { toDomainError } from "../../errors/to-domain-error";
import { wantsPage } from "../../web-app/wants-page";
import type { ServiceContext } from "../service-context";
import { toStatus } from "../statuses";
import { respondWithError } from "./error-response";

const STYLE =
	"body{background:Canvas;color:CanvasText;font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem}a{color:inherit}";

/** Policy of the page: it loads and runs nothing, and has this one style. */
const CONTENT_SECURITY_POLICY = [
	"default-src 'none'",
	`style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
	"frame-ancestors 'none'",
	"base-uri 'none'",
	"form-action 'none'",
].join("; ");

/** Responds with an error as a page in plain words where a browser shows it; else as JSON. */
export function respondWithErrorPage(context: ServiceContext, error: unknown): Response {
	if (!wantsPage(context.req.header("accept"))) return respondWithError(context, error);
	const domainError = toDomainError(error);
	const status = toStatus(domainError);
	const requestId = context.get("requestId");
	context.get("kernel").logFailure(requestId, domainError, error);
	const { code, message, hint } = domainError;
	const lines = [
		`<h1>You are not signed in</h1>`,
		`<p>${escapeHtml(message)}</p>`,
		...(hint === undefined ? [] : [`<p>${escapeHtml(hint)}</p>`]),
		`<p><a href="/">Back to the sign-in</a></p>`,
		`<p><small>Code: <code>${escapeHtml(code)}</code> · Request: <code>${escapeHtml(requestId)}</code></small></p>`,
	];
	// Hono's type lists the statuses that may have a body; those of errors all may.
	return context.body(toDocument(lines), status as 400, {
		...toErrorHeaders(domainError, status),
		"content-type": "text/html; charset=utf-8",
		"content-security-policy": CONTENT_SECURITY_POLICY,
		"cache-control": "no-store",
		"referrer-policy": "no-referrer",
		"x-content-type-options": "nosniff",
	});
}

const toDocument = (lines: readonly string[]): string =>
	[
		`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Not signed in – Stemma</title>`,
		`<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><style>${STYLE}</style></head>`,
		`<body><main>${lines.join("\n")}</main></body></html>`,
	].join("\n");

const escapeHtml = (text: string): string =>
	text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
