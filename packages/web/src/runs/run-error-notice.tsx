import { visibleText } from "@stemma/client";
import type { RunError } from "@stemma/core";
import { STRINGS } from "../strings/strings";

interface RunErrorNoticeProps {
	readonly error: RunError;
	readonly title?: string;
}

/** Error of a run or of a step, with what to do, its code and the id of its request. */
export function RunErrorNotice({ error: { code, message, hint, request_id }, title }: RunErrorNoticeProps) {
	return (
		<div className="notice bad">
			{title !== undefined && <strong>{title}</strong>}
			<p>{visibleText(message)}</p>
			{hint !== undefined && <p>{visibleText(hint)}</p>}
			<p className="small">
				{STRINGS.app.code}: <code>{visibleText(code)}</code>
				{request_id !== undefined && (
					<>
						{" · "}
						{STRINGS.app.requestId}: <code>{visibleText(request_id)}</code>
					</>
				)}
			</p>
		</div>
	);
}
