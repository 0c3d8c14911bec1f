import { AuthenticationError, isStemmaError, visibleText } from "@stemma/client";
import { useContext, useEffect } from "react";
import { AppContext } from "../data/app-context";
import { STRINGS } from "../strings/strings";

interface ErrorNoticeProps {
	readonly error: unknown;
	readonly title?: string | undefined;
	readonly onRetry?: (() => void) | undefined;
}

/** An error with what to do next, its code and the id of its request. Nothing where there is none. */
export function ErrorNotice({ error, title, onRetry }: ErrorNoticeProps) {
	const app = useContext(AppContext);
	const isSessionOver = error !== undefined && AuthenticationError.is(error);
	useEffect(() => {
		if (isSessionOver) app?.onSessionEnd();
	}, [app, isSessionOver]);
	if (error === undefined) return null;
	const { code, message, hint, requestId } = describe(error);
	return (
		<div className="notice bad" role="alert">
			{title && <strong>{title}</strong>}
			<p>{visibleText(message)}</p>
			{hint && <p>{visibleText(hint)}</p>}
			{code && (
				<p className="small">
					{STRINGS.app.code}: <code>{code}</code>
					{requestId && (
						<>
							{" · "}
							{STRINGS.app.requestId}: <code>{requestId}</code>
						</>
					)}
				</p>
			)}
			{onRetry && (
				<button type="button" onClick={onRetry}>
					{STRINGS.app.retry}
				</button>
			)}
		</div>
	);
}

/** Fields of an error that are shown. */
interface ErrorDescription {
	readonly message: string;
	readonly code?: string | undefined;
	readonly hint?: string | undefined;
	readonly requestId?: string | undefined;
}

function describe(error: unknown): ErrorDescription {
	if (!isStemmaError(error))
		return { message: error instanceof Error ? error.message : STRINGS.app.unexpected };
	const { code, message, hint } = error;
	const requestId = "requestId" in error && typeof error.requestId === "string" ? error.requestId : undefined;
	return { code, message, hint, requestId };
}
