/* The colours of tasks in pictures: the same task has the same colour in all pictures of a report, and none of them is one of a verdict.
 *
 * Provides: eight colours, told apart without red and green, in the order of tasks; schema/report.xsl has the same ones.
 */
#ifndef BASE_PALETTE_H
#define BASE_PALETTE_H

#define PALETTE_COLOURS 8

/* Classes c0 to c7 below a class of the picture, as ".timeline ". */
#define PALETTE_STYLE(scope)                                                                                                               \
	scope ".c0{fill:#56b4e9}" scope ".c1{fill:#cc79a7}" scope ".c2{fill:#e2d52f}" scope ".c3{fill:#4a7fc1}" scope                      \
	      ".c4{fill:#a88a6c}" scope ".c5{fill:#2aa6a6}" scope ".c6{fill:#a9dcd6}" scope ".c7{fill:#efb8d8}"

#endif
