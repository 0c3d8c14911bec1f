import * as z from "zod";
import { DomainError } from "../../errors/domain-error";
import { countFailure } from "../../http/auth/session-caller";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp } from "../../http/service-context";
import { createSignInThrottle, type ThrottleRates } from "../../people/attempts/sign-in-throttle";
import { openSharedRun, type ShareStore } from "../../run-shares/open-shared-run";
import {
	MAX_SHARE_OPENINGS_PER_MINUTE,
	MAX_TOTAL_SHARE_OPENINGS_PER_MINUTE,
} from "../../run-shares/share-limits";

const MAX_OPEN_BYTES = 1024;
const openBody = z.strictObject({ token: z.string().min(1).max(200) });

const described = describeRoute({
	summary: "Open a link to a run",
	body: openBody,
	responses: { 200: "SharedRun" },
	errors: ["share_not_found", "rate_limited"],
});

/**
 * `POST /v1/shared-runs`: what a link shows of a run. Open to whoever has its token, which is in the body, so that no log of
 * addresses has it.
 */
export function addSharedRunRoute(app: ServiceApp, store: ShareStore, rates: ThrottleRates): void {
	const throttle = createSignInThrottle(rates, {
		perAddress: MAX_SHARE_OPENINGS_PER_MINUTE,
		total: MAX_TOTAL_SHARE_OPENINGS_PER_MINUTE,
	});

	app.post("/v1/shared-runs", described, async (context) => {
		context.header("cache-control", "no-store");
		const seconds = throttle.countAttempt(context.env?.address);
		if (seconds > 0) throw tooManyOpenings(seconds);
		const { token } = await readJson(context, openBody, { maxBytes: MAX_OPEN_BYTES });
		try {
			return context.json(await openSharedRun(context.get("kernel"), store, token, context.req.raw.signal));
		} catch (error) {
			if (error instanceof DomainError && error.code === "share_not_found") countFailure(context);
			throw error;
		}
	});
}

const tooManyOpenings = (retryAfterSeconds: number): DomainError =>
	new DomainError("rate_limited", "There were too many attempts to open links.", {
		hint: "Wait as long as the header retry-after says.",
		retryAfterSeconds,
	});
