import { isJsonObject } from "@stemma/core/internal";
import type { A2aAgentCard, A2aInterface } from "./wire";

/** The bindings that this client speaks. */
export type A2aBinding = "JSONRPC" | "HTTP+JSON";

export interface InterfaceRules {
	/** Origin of the card. */
	readonly origin: string;
	/** Origins that requests may go to, besides the card's own. */
	readonly allowedOrigins: readonly string[];
	/** Bindings that may be used. */
	readonly bindings: readonly A2aBinding[];
}

/**
 * The first interface of a card that can be used (A2A 1.0.1, section 8.3.2), if there is one. A card is only as good as who wrote it: it does not
 * decide where credentials go.
 */
export function chooseInterface(
	{ supportedInterfaces }: A2aAgentCard,
	{ origin, allowedOrigins, bindings }: InterfaceRules,
): A2aInterface | undefined {
	const isAllowedUrl = (url: string): boolean => {
		const requestedOrigin = readOrigin(url) ?? "";
		return (
			requestedOrigin === origin ||
			(allowedOrigins.includes(requestedOrigin) && !isDowngrade(origin, requestedOrigin))
		);
	};
	return supportedInterfaces.find(
		(one) =>
			isInterface(one) &&
			isSupportedVersion(one) &&
			isAllowedUrl(one.url) &&
			bindings.some((binding) => usesBinding(one, binding)),
	);
}

export const isInterface = (value: unknown): value is A2aInterface =>
	isJsonObject(value) &&
	[value.url, value.protocolBinding, value.protocolVersion].every((field) => typeof field === "string");

export const isSupportedVersion = ({ protocolVersion }: A2aInterface): boolean =>
	/^1(\.|$)/.test(protocolVersion);

/** Paths go behind the address of HTTP+JSON: it has no query. */
export const usesBinding = ({ protocolBinding, url }: A2aInterface, binding: A2aBinding): boolean =>
	protocolBinding.toUpperCase() === binding && (binding === "JSONRPC" || !url.includes("?"));

export const isDowngrade = (from: string, to: string): boolean => /^https/.test(from) && !/^https/.test(to);

/** Scheme, host and port of a plain address, as a text to compare; `undefined` for any other. */
export const readOrigin = (url: string): string | undefined =>
	/^(https?:\/\/[^\s/?#@\\]+)([/?][^\s#\\]*)?$/i
		.exec(url)?.[1]
		?.toLowerCase()
		.replace(/^(http:.*):80$|^(https:.*):443$/, "$1$2");
