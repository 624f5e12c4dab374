"""Common English function words, folded: they tell nothing about whom a text is about."""

from __future__ import annotations

_LISTED = """
a about above across after afterwards again against ago all almost alone along already also although always am amid
among amongst an and another any anybody anyhow anyone anything anyway anywhere are aren around as aside at away
back be became because become becomes becoming been before beforehand behind being below beneath beside besides
between beyond both but by
came can cannot cant come comes coming could couldn couldnt
did didn didnt do does doesn doesnt doing don done dont down during
each eg either else elsewhere enough especially etc even ever every everybody everyone everything everywhere except
far few fewer for former formerly from further furthermore
gave get gets getting give given gives giving go goes going gone got gotten
had hadn hardly has hasn hasnt have haven havent having he hence her here hereafter hereby herein hereupon hers herself
him himself his hither how however
i ie if im in indeed inside instead into is isn isnt it its itself ive
just keep keeps kept
last lately later latter latterly least less lest let lets like likewise ll
made mainly make makes making many may maybe me mean means meanwhile merely might mightn mine more moreover most mostly
much must mustn my myself
namely near nearly neither never nevertheless next no nobody none nonetheless nor not nothing now nowhere
of off often oh ok okay on once one ones oneself only onto or other others otherwise ought our ours ourselves out
outside over own
per perhaps please put
quite rather re really regarding
said same saw say saying says see seem seemed seeming seems seen several shall shan she should shouldn since so some
somebody somehow someone something sometime sometimes somewhat somewhere soon still such
take taken takes taking than that thats the thee their theirs them themselves then thence there thereafter thereby
therefore therein thereupon these they thing things this thither those thou though through throughout thru thus thy till
to together too took toward towards tried tries try trying
under underneath unless unlike unlikely until up upon us use used uses using usually
ve very via viz
want wants was wasn wasnt way we well went were weren werent what whatever when whence whenever where whereafter whereas
whereby wherein whereupon wherever whether which whichever while whilst whither who whoever whole whom whomever whose
why will with within without won wont would wouldn wouldnt
yes yet you your yours yourself yourselves
"""

STOPWORDS = frozenset(_LISTED.split())
