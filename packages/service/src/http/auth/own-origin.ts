import { isLoopbackUrl } from "@stemma/protocol";
import type { ServiceContext } from "../service-context";
import { readPublicOrigin } from "./public-origin";

/**
 * Checks whether an origin is that of this service. On one machine it has several: an app that knows it as `127.0.0.1` and
 * a page at `localhost` speak of the same.
 */
export function isOwnOrigin(context: ServiceContext, origin: string): boolean {
	const own = readPublicOrigin(context);
	if (origin === own) return true;
	if (context.get("kernel").publicOrigin !== undefined) return false;
	return (
		isLoopbackUrl(own) &&
		isLoopbackUrl(origin) &&
		origin === new URL(origin).origin &&
		new URL(origin).port === new URL(own).port &&
		new URL(origin).protocol === new URL(own).protocol
	);
}
