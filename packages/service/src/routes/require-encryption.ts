import type { MiddlewareHandler } from "hono";
import { DomainError } from "../errors/domain-error";
import type { ServiceEnvironment } from "../http/service-context";

/** The handler after `requireCaller` of routes whose values are encrypted: 501 where nothing can be. */
export const requireEncryption: MiddlewareHandler<ServiceEnvironment> = async (context, next) => {
	if (context.get("kernel").keyring.isEmpty) throw encryptionNotConfiguredError();
	await next();
};

const encryptionNotConfiguredError = (): DomainError =>
	new DomainError("encryption_not_configured", "This service cannot store a workspace's credentials.", {
		hint: "The operator must set an encryption key first, which `stemma keys generate` prints: `encryption.keys`, or STEMMA_ENCRYPTION_KEY. Until then every workspace uses the deployment's models.",
	});
