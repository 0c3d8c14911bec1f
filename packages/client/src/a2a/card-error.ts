import type { StemmaClient } from "../client";
import { A2aError } from "./a2a-error";
import {
	chooseInterface,
	type InterfaceRules,
	isDowngrade,
	isInterface,
	isSupportedVersion,
	readOrigin,
} from "./choose-interface";
import type { A2aAgentCard, A2aInterface } from "./wire";

type Problem = readonly [code: string, message: string, hint: string];

/**
 * The interface of a card that is used.
 *
 * @throws A2aError that says why none can be.
 */
export function getInterface(
	card: A2aAgentCard,
	rules: InterfaceRules,
	client: Pick<StemmaClient, "redact">,
): A2aInterface {
	const selected = chooseInterface(card, rules);
	if (selected === undefined) throw toCardError(card, rules, client);
	return selected;
}

/**
 * Creates the error that says why none of the interfaces of a card can be used. A card of A2A 0.3 has no
 * `supportedInterfaces`.
 */
function toCardError(
	card: { readonly supportedInterfaces?: unknown; readonly protocolVersion?: unknown },
	rules: InterfaceRules,
	{ redact }: Pick<StemmaClient, "redact">,
): A2aError {
	const { supportedInterfaces, protocolVersion } = card;
	// A card may say whatever it was asked with.
	const { interfaces, version } = redact({
		interfaces: (Array.isArray(supportedInterfaces) ? supportedInterfaces : [])
			.filter(isInterface)
			.map(({ url, protocolBinding, protocolVersion }) => ({ url, protocolBinding, protocolVersion })),
		version: typeof protocolVersion === "string" ? protocolVersion : "0.x",
	});
	const [code, message, hint] =
		findVersionProblem(interfaces, version) ??
		findBindingProblem(interfaces.filter(isSupportedVersion), rules) ??
		findAddressProblem(interfaces.filter(isSupportedVersion), rules);
	const reason = code === "version_not_supported" ? "VERSION_NOT_SUPPORTED" : undefined;
	return new A2aError(message, { code, hint, reason });
}

function findVersionProblem(
	interfaces: readonly A2aInterface[],
	protocolVersion: string,
): Problem | undefined {
	if (interfaces.some(isSupportedVersion)) return undefined;
	const versions = formatList(interfaces.map((one) => one.protocolVersion)) || protocolVersion.slice(0, 20);
	return [
		"version_not_supported",
		`The agent speaks only A2A ${versions}; this client speaks 1.0.`,
		"Ask the operator of the agent for an interface of version 1.0 (`supportedInterfaces` of its card).",
	];
}

function findBindingProblem(
	interfaces: readonly A2aInterface[],
	{ bindings }: InterfaceRules,
): Problem | undefined {
	const names = interfaces.map(({ protocolBinding }) => protocolBinding);
	if (names.some((name) => bindings.some((binding) => binding === name.toUpperCase()))) return undefined;
	return [
		"binding_not_supported",
		`The agent speaks ${formatList(names)}, and not ${bindings.join(" or ")}.`,
		bindings.length === 1
			? "Leave out `binding`, or ask the operator of the agent for another interface."
			: "Ask the operator of the agent for another interface (`supportedInterfaces` of its card).",
	];
}

function findAddressProblem(
	interfaces: readonly A2aInterface[],
	{ origin, bindings }: InterfaceRules,
): Problem {
	const usable = interfaces.filter(({ protocolBinding }) =>
		bindings.some((binding) => binding === protocolBinding.toUpperCase()),
	);
	const other = usable.map(({ url }) => readOrigin(url)).find((one) => one !== undefined && one !== origin);
	if (other === undefined)
		return [
			"address_refused",
			"The agent's card names no address that is plain http or https.",
			"Ask the operator of the agent for an absolute one, without a user name, a fragment, or a query for HTTP+JSON.",
		];
	if (isDowngrade(origin, other))
		return [
			"address_refused",
			"The agent's card was asked for over https, and leads to an address without it.",
			"Ask the operator of the agent for one with https: what goes there could be read on its way.",
		];
	return [
		"origin_not_allowed",
		`The agent's card leads to another origin than that of \`url\`: ${other.slice(0, 100)}.`,
		"If messages and credentials may go there, name that origin in `allowedOrigins`.",
	];
}

const formatList = (names: readonly string[]): string => [...new Set(names)].join(", ").slice(0, 100);
