#pragma once
#include <stdio.h>
#include <turbojpeg.h>
#include <jpeglib.h>
#include <png.h>
#include <webp/decode.h>
#include <webp/encode.h>
#include <libheif/heif.h>
