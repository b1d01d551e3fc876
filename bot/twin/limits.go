package twin

// Discord's limits, in characters (code points) unless the name says
// otherwise. The checks that use them stand in check*.go; limits_test.go has a
// row on each boundary.
const (
	maxCommands       = 100
	maxNameLength     = 32
	maxDescription    = 100
	maxOptions        = 25 // on each level
	maxChoices        = 25
	maxChoiceName     = 100
	maxChoiceValue    = 100
	maxCommandSize    = 8000 // names, descriptions and values of a whole command
	maxOptionLength   = 6000 // what min_length and max_length may say, and what a client lets type
	maxCommandCreates = 200  // a day for each guild, and for the global list
	maxWholeNumber    = 1<<53 - 1

	maxContent     = 2000
	maxEmbeds      = 10
	maxEmbedSize   = 6000 // over all embeds of a message
	maxTitle       = 256
	maxEmbedText   = 4096
	maxFields      = 25
	maxFieldName   = 256
	maxFieldValue  = 1024
	maxFooter      = 2048
	maxAuthor      = 256
	maxURL         = 2048
	maxColour      = 0xFFFFFF
	maxMentionList = 100 // users or roles of allowed_mentions

	maxRows            = 5
	maxRowWidth        = 5 // buttons; a select takes the whole row
	maxCustomID        = 100
	maxLabel           = 80
	maxButtonURL       = 512
	maxSelectOptions   = 25
	maxSelectText      = 100 // label, value and description of a line
	maxPlaceholder     = 150
	maxModalTitle      = 45
	maxInputs          = 5
	maxInputValue      = 4000
	maxInputLabel      = 45
	maxInputHint       = 100 // placeholder
	maxAttachments     = 10
	maxFilename        = 1024
	maxFileText        = 1024     // an attachment's description
	maxFileBytes       = 10 << 20 // each
	maxRequestBytes    = 25 << 20
	maxRequestsPerSec  = 50 // over the bot; interaction callbacks stand outside
	maxBadAnswers      = 10000
	maxIdentifies      = 1000 // a day
	maxGatewayPayload  = 4096 // bytes a client may send in one frame
	maxGatewayPerMin   = 120  // frames a client may send in 60 s
	maxReplayed        = 1000 // events kept for a resume
	maxSessionsKept    = 8
	maxAPIVersion      = 10
	minAPIVersion      = 9
	maxRememberedWrong = 10000 // violations kept
)

// locales are the languages that Discord documents. Hebrew and Arabic stand
// in the official file only, and are refused here.
var locales = map[string]bool{
	"id": true, "da": true, "de": true, "en-GB": true, "en-US": true, "es-ES": true,
	"es-419": true, "fr": true, "hr": true, "it": true, "lt": true, "hu": true,
	"nl": true, "no": true, "pl": true, "pt-BR": true, "ro": true, "fi": true,
	"sv-SE": true, "vi": true, "tr": true, "cs": true, "el": true, "bg": true,
	"ru": true, "uk": true, "hi": true, "th": true, "zh-CN": true, "ja": true,
	"zh-TW": true, "ko": true,
}
