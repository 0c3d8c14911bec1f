import { runtimeAgents } from "@stemma/client";
import { askDesk, describeSources } from "./desk.js";

// In development the runtime is on this page's own origin and answers this machine alone. A page of the public needs a client key.
const agents = runtimeAgents({ baseUrl: location.origin });
const messages = document.getElementById("messages");
const form = document.getElementById("form");

function addMessage(className, text = "") {
	const message = document.createElement("li");
	message.className = className;
	message.textContent = text;
	messages.append(message);
	return message;
}

function addNote(message, className, text) {
	const note = document.createElement("span");
	note.className = className;
	note.textContent = text;
	message.append(note);
}

form.addEventListener("submit", async (event) => {
	event.preventDefault();
	const { question } = form.elements;
	addMessage("question", question.value);
	const answer = addMessage("answer", "…");
	try {
		const citations = await askDesk(agents, question.value, (text) => {
			answer.textContent = text;
		});
		addNote(answer, "sources", describeSources(citations));
	} catch (error) {
		addNote(answer, "error", `${error.message} ${error.hint ?? ""}`);
	}
	question.value = "";
	question.focus();
});
