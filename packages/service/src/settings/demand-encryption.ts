import type { MiddlewareHandler } from "hono";
import { ApiError } from "../http/api-error";
import type { ServiceEnvironment } from "../http/service-app";

/** The handler after `requireCaller` of routes whose values are sealed: 501 where nothing can be. */
export const demandEncryption: MiddlewareHandler<ServiceEnvironment> = async (context, next) => {
	if (context.get("kernel").keyring.isEmpty) throw notConfigured();
	await next();
};

/** The same where settings without a key may have outlived the encryption key: they can be seen, and cleared. */
export const demandEncryptionOrSettings: MiddlewareHandler<ServiceEnvironment> = async (context, next) => {
	if (context.get("kernel").keyring.isEmpty && (await context.get("workspace").settings.open()) === undefined)
		throw notConfigured();
	await next();
};

const notConfigured = (): ApiError =>
	new ApiError(501, "encryption_not_configured", "This service cannot keep a workspace's credentials.", {
		hint: "Whoever runs it must set an encryption key first: `encryption.keys`, or STEMMA_ENCRYPTION_KEY. Workspaces without settings use the deployment's models.",
	});
