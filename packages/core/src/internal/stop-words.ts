/** English words that say nothing about what a question is about, separated by blanks. */
export const ENGLISH_STOP_WORDS =
	"a about after all also am an and any are as at be been before being but by can could did do does doing for from get had has " +
	"have having he her here hers him his how i if in into is it its itself just me may might more most must my no nor not of " +
	"off on once only or other our ours out over own shall she should so some such than that the their theirs them then there " +
	"these they this those through to too under until up us very was we were what when where which while who whom whose why will " +
	"with would you your yours s t d ll re ve m";
