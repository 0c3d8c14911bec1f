import { parseBedrockEndpoint } from "@stemma/routing/bedrock";
import { DomainError } from "../errors/domain-error";
import type { ModelEndpoint } from "../models/create-model";
import { BlockedAddressError } from "../outbound/blocked-address-error";
import type { OutboundGate } from "../outbound/outbound-gate";
import type { OutboundPolicy } from "../outbound/outbound-policy";
import { isAllowlisted } from "../outbound/outbound-policy";

/**
 * Checks that an endpoint may be called at all, and with a key.
 *
 * @throws DomainError 422 `blocked_address`, `base_url_not_aws` or `insecure_base_url`.
 */
export type CheckEndpoint = (endpoint: ModelEndpoint, hasKey: boolean) => Promise<void>;

export const createCheckEndpoint =
	(gate: Pick<OutboundGate, "check">, policy: OutboundPolicy): CheckEndpoint =>
	async ({ provider, base_url }, hasKey) => {
		await check(gate, base_url, "base_url");
		if (isAllowlisted(base_url, policy)) return;
		if (provider === "bedrock" && parseBedrockEndpoint(base_url).region === undefined) throw notAwsError();
		if (hasKey && !base_url.startsWith("https:")) throw insecureBaseUrlError();
	};

/**
 * Checks that a secret may be sent to a server.
 *
 * @throws DomainError 422 `blocked_address` or `insecure_server_url`.
 */
export type CheckServer = (url: string) => Promise<void>;

export const createCheckServer =
	(gate: Pick<OutboundGate, "check">, policy: OutboundPolicy): CheckServer =>
	async (url) => {
		await check(gate, url, "server_url");
		if (!url.startsWith("https:") && !isAllowlisted(url, policy)) throw insecureServerUrlError();
	};

async function check(gate: Pick<OutboundGate, "check">, url: string, param: string): Promise<void> {
	try {
		await gate.check(url);
	} catch (error) {
		if (!BlockedAddressError.is(error)) throw error;
		const { code, message, hint } = error;
		throw new DomainError(code, message, { hint, param, cause: error });
	}
}

const notAwsError = (): DomainError =>
	new DomainError("base_url_not_aws", "This host is not an AWS host for Bedrock.", {
		hint: "Write `base_url` as `https://bedrock-runtime.<region>.amazonaws.com`. The operator of the service can open a gateway's host with `outbound.allow`.",
		param: "base_url",
	});

const insecureBaseUrlError = (): DomainError =>
	new DomainError("insecure_base_url", "A key is not sent over plain HTTP.", {
		hint: "Write `base_url` with https. The operator of the service can open a host of their own network with `outbound.allow`.",
		param: "base_url",
	});

const insecureServerUrlError = (): DomainError =>
	new DomainError("insecure_server_url", "A secret is not sent over plain HTTP.", {
		hint: "Write `server_url` with https. The operator of the service can open a host of their own network with `outbound.allow`.",
		param: "server_url",
	});
