"""The keys that a new file may have, by what they are for. Everything else stays behind."""

from __future__ import annotations

PAGE = frozenset(
    ("/Type", "/Parent", "/MediaBox", "/CropBox", "/Rotate", "/UserUnit", "/Contents", "/Resources", "/Group")
)
CATALOGUE = frozenset(("/Type", "/Pages"))
PAGES = frozenset(("/Type", "/Kids", "/Count", "/Parent"))

LETTERS = {"/Font": "F", "/XObject": "X", "/ExtGState": "G", "/ColorSpace": "C", "/Pattern": "P", "/Shading": "S"}
"""The kinds of things that a stream calls by name, and the letter that their names begin with; a number follows."""
RESOURCES = tuple(LETTERS)


FORM = frozenset(("/Type", "/Subtype", "/BBox", "/Matrix", "/Group", "/Resources"))
GROUP = frozenset(("/Type", "/S", "/CS", "/I", "/K"))
FONT = frozenset(
    (
        *("/Type", "/Subtype", "/BaseFont", "/FirstChar", "/LastChar", "/Widths", "/Encoding", "/BaseEncoding"),
        *("/Differences", "/ToUnicode", "/DescendantFonts", "/FontDescriptor", "/FontMatrix", "/FontBBox", "/DW", "/W"),
        *("/DW2", "/W2", "/CIDToGIDMap", "/CIDSystemInfo", "/Registry", "/Ordering", "/Supplement", "/FontName"),
        *("/Flags", "/ItalicAngle", "/Ascent", "/Descent", "/CapHeight", "/StemV", "/StemH", "/XHeight", "/AvgWidth"),
        *("/MaxWidth", "/Leading", "/MissingWidth", "/FontFile", "/FontFile2", "/FontFile3", "/CMapName", "/WMode"),
        *("/UseCMap",),
    )
)
FONT_STRINGS = frozenset(("/Registry", "/Ordering"))
IMAGE = frozenset(
    (
        *(
            "/Type",
            "/Subtype",
            "/Width",
            "/Height",
            "/ColorSpace",
            "/BitsPerComponent",
            "/ImageMask",
            "/Mask",
            "/SMask",
        ),
        *("/Decode", "/Interpolate", "/Filter", "/DecodeParms", "/Matte", "/SMaskInData"),
    )
)
DECODING = frozenset(
    (
        *("/Predictor", "/Colors", "/BitsPerComponent", "/Columns", "/EarlyChange", "/K", "/EndOfLine"),
        *("/EncodedByteAlign", "/Rows", "/EndOfBlock", "/BlackIs1", "/DamagedRowsBeforeError", "/JBIG2Globals"),
        "/ColorTransform",
    )
)
STATE = frozenset(
    (
        *("/Type", "/LW", "/LC", "/LJ", "/ML", "/D", "/RI", "/OP", "/op", "/OPM", "/FL", "/SM", "/SA", "/BM", "/CA"),
        *("/ca", "/AIS", "/TK", "/SMask"),
    )
)
MASK = frozenset(("/Type", "/S", "/BC"))
SHADING = frozenset(
    (
        *("/ShadingType", "/ColorSpace", "/Background", "/BBox", "/AntiAlias", "/Domain", "/Matrix", "/Function"),
        *(
            "/Coords",
            "/Extend",
            "/BitsPerCoordinate",
            "/BitsPerComponent",
            "/BitsPerFlag",
            "/Decode",
            "/VerticesPerRow",
        ),
    )
)
FUNCTION = frozenset(
    (
        *(
            "/FunctionType",
            "/Domain",
            "/Range",
            "/Size",
            "/BitsPerSample",
            "/Order",
            "/Encode",
            "/Decode",
            "/C0",
            "/C1",
        ),
        *("/N", "/Functions", "/Bounds"),
    )
)
TILING = frozenset(("/Type", "/PatternType", "/PaintType", "/TilingType", "/BBox", "/XStep", "/YStep", "/Matrix"))
SHADED = frozenset(("/Type", "/PatternType", "/Matrix"))
CALIBRATED = frozenset(("/WhitePoint", "/BlackPoint", "/Gamma", "/Matrix", "/Range"))
ALL = frozenset().union(
    PAGE, CATALOGUE, PAGES, RESOURCES, FORM, GROUP, FONT, IMAGE, DECODING, STATE, MASK, SHADING, FUNCTION, TILING,
    SHADED, CALIBRATED,
    ("/Length", "/Length1", "/Length2", "/Length3", "/CharProcs", "/G", "/TR", "/Shading", "/Size", "/Root", "/ID"),
)  # fmt: skip
_VALUES = """
Catalog Page Pages Font FontDescriptor XObject Form Image ExtGState Pattern Group Transparency Mask Encoding Type0
Type1 Type3 MMType1 TrueType CIDFontType0 CIDFontType2 CIDFontType0C Type1C OpenType Identity Identity-H Identity-V
WinAnsiEncoding MacRomanEncoding MacExpertEncoding StandardEncoding DeviceGray DeviceRGB DeviceCMYK DeviceN
Separation Indexed CalGray CalRGB Lab All None Cyan Magenta Yellow Black Normal Compatible Multiply Screen Overlay
Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion Hue Saturation Color Luminosity Alpha
FlateDecode DCTDecode CCITTFaxDecode JPXDecode JBIG2Decode LZWDecode ASCIIHexDecode ASCII85Decode RunLengthDecode
CMap Default RelativeColorimetric AbsoluteColorimetric Perceptual Length Length1 Length2 Length3 Helvetica
Helvetica-Bold Helvetica-Oblique Helvetica-BoldOblique Times-Roman Times-Bold Times-Italic Times-BoldItalic Courier
Courier-Bold Courier-Oblique Courier-BoldOblique Symbol ZapfDingbats
"""
VALUES = frozenset(_VALUES.split())
"""Names that are values of the format, not of anyone's making."""
