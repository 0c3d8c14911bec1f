import { quote } from "@stemma/core/internal";
import { DomainError } from "../../errors/domain-error";
import type { IssuerConfiguration } from "./issuer-configuration";

/** Error of a key that no issuer has. */
export const issuerNotFound = (key: string): DomainError =>
	new DomainError("issuer_not_found", `There is no way to sign in that is called ${quote(key)}.`, {
		hint: "GET /v1/sign-in lists them. The operator adds one under sign_in.issuers of the configuration.",
	});

/** Error of an issuer that does not answer, or not as it should. */
export const issuerUnavailable = ({ name }: IssuerConfiguration, cause?: unknown): DomainError =>
	new DomainError(
		"issuer_unavailable",
		`${name} does not answer at the moment, so nobody can sign in with it.`,
		{
			hint: "Try again in a few minutes, or sign in in another way. If it stays so, tell whoever runs this service, whose log says more.",
			cause,
		},
	);

/** Error of a response of an issuer that does not belong to what the browser began, or does not hold. */
export const signInFailed = (cause?: unknown): DomainError =>
	new DomainError("sign_in_failed", "The sign-in could not be completed.", {
		hint: "Start it again, in one tab, and complete it within ten minutes. If it fails again, tell whoever runs this service.",
		cause,
	});

/** Error of an issuer that has signed nobody in. */
export const signInRefused = ({ name }: IssuerConfiguration, cause?: unknown): DomainError =>
	new DomainError("sign_in_refused", `${name} did not sign you in: it was cancelled or refused there.`, {
		hint: "Start it again, or ask whoever manages your account there.",
		cause,
	});

/** Error of a person whom the issuer knows and this service does not let in. */
export const signInNotAllowed = ({ name }: IssuerConfiguration): DomainError =>
	new DomainError("sign_in_not_allowed", `Your account at ${name} has no access here.`, {
		hint: "Ask an admin of the workspace for an invitation of exactly your address, or to be added to a group that has access.",
	});
